"""What is known and accepted: findings that comments, annotations or the baseline take out of a report."""
