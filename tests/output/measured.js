// What a reader sees of the page, for the page that frames it.
const height = document.documentElement.scrollHeight;
for (const folded of document.querySelectorAll("details")) folded.open = true;

const seen = [...document.querySelectorAll("body, body *:not(script)")].filter((e) => e.getClientRects().length);
const said = (e) => `${e.tagName} ${e.textContent.trim().slice(0, 60)}`;
const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);

function luminance(colour) {
  const [r, g, b] = numbers(colour).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function background(e) {
  for (; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if ((numbers(colour)[3] ?? 1) === 1) return colour;
  }
  return "rgb(255, 255, 255)";
}

function contrast(e) {
  const [high, low] = [getComputedStyle(e).color, background(e)].map(luminance).sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
parent.postMessage(JSON.stringify({
  width: innerWidth,
  height,
  paper: getComputedStyle(document.body).backgroundColor,
  wide: seen.filter((e) => e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1
    && getComputedStyle(e).display !== "inline").map(said),
  pale: seen.filter((e) => hasText(e) && contrast(e) < 4.5).map((e) => `${contrast(e).toFixed(2)} ${said(e)}`),
  text: document.body.innerText,
}), "*");
