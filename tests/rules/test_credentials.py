"""What counts as a credential. Tokens are put together here, so that no scanner takes them for real ones."""

from __future__ import annotations

import pytest

from trainergen.rules.security.credentials import credential_in, is_credential

TAIL = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("hf_" + TAIL, "a Hugging Face token"),
        ("--token hf_" + TAIL + " --epochs 3", "a Hugging Face token"),
        ("ghp_" + TAIL, "a GitHub token"),
        ("github_pat_" + TAIL + "_" + TAIL, "a GitHub token"),
        ("glpat-" + TAIL[:20], "a GitLab token"),
        ("AK" + "IA3QX7M2VN8ZT4RC6W", "an AWS access key"),
        ("sk-proj-" + TAIL, "an OpenAI or Anthropic key"),
        ("nvapi-" + TAIL + TAIL, "an NVIDIA key"),
        ("xoxb-" + TAIL, "a Slack token"),
        ("-----BEGIN OPENSSH " + "PRIVATE KEY-----\n…", "a private key"),
        ("eyJ" + TAIL + ".eyJ" + TAIL + "." + TAIL, "a JSON Web Token"),
    ],
)
def test_credentials_are_known_by_their_shape(text: str, kind: str) -> None:
    assert credential_in(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "hf_transfer",
        "hf_" + "x" * 34,
        "hf_your_token_here_your_token_here_your",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "0" * 36,
        "sk-learn-pipeline-with-a-very-long-example-name",
        "import huggingface_hub; hf_hub_download(repo_id='example/model', filename='config.json')",
        "https://huggingface.co/meta-llama/Llama-3.2-1B-Instruct",
        "-----BEGIN CERTIFICATE-----",
    ],
)
def test_what_only_looks_like_a_shape_is_none(text: str) -> None:
    assert credential_in(text) == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WANDB_API_KEY", "9c1f7be02d46a8e35b70d1c94f6a2e83d5b7c016"),
        ("AWS_SECRET_ACCESS_KEY", "q7Rk2ZxT9vLm4NcB8wYp1HsJ6dGf3aKuE5oVt0Xi"),
        ("ACCESS_TOKEN", "Zk3vQ9rT1xLw8mBn"),
        ("hub-token", "Zk3vQ9rT1xLw8mBn"),
        ("hub.token", "Zk3vQ9rT1xLw8mBn"),
        ("password", "correcthorse"),
        ("MLFLOW_TRACKING_PASSWORD", "Tq7vWm2Z"),
        ("CLEARML_API_SECRET_KEY", "Zk3vQ9rT1xLw8mBn"),
    ],
)
def test_credentials_are_known_by_their_name(name: str, value: str) -> None:
    assert is_credential(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOKENIZERS_PARALLELISM", "false-or-true1"),
        ("MAX_TOKENS", "1234567890"),
        ("max_token", "4096000000"),
        ("PAD_TOKEN", "endoftext1"),
        ("eos-token", "endoftext1"),
        ("HF_TOKEN_PATH", "secrets2024token"),
        ("HF_TOKEN", "/secrets/hf/token1"),
        ("HF_TOKEN", "${HF_TOKEN_1}"),
        ("HF_TOKEN", "$(HF_TOKEN_1)"),
        ("HF_TOKEN", "{{ .Values.token1 }}"),
        ("HF_TOKEN", "<your-token-1>"),
        ("HF_TOKEN", "changeme12345"),
        ("HF_TOKEN", "vault:secret/data/hf#token1"),
        ("HF_TOKEN", "ENC[AES256_GCM,data:Zk3v]"),
        ("HF_TOKEN", ""),
        ("HF_TOKEN", "short1"),
        ("TOKEN", "hf-token"),
        ("SECRET", "team-a-wandb"),
        ("API_KEY", "true"),
        ("OPENAI_API_KEY", "https://keys.example.com/1"),
    ],
)
def test_names_and_stand_ins_are_no_credentials(name: str, value: str) -> None:
    assert not is_credential(name, value)
