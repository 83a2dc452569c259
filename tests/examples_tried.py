"""How many random examples a slow property is tried on."""

import os


def a_third_of(all_examples: int) -> int:
    """`make test` tries a third of the examples, the same ones each time; `make hunt` and `make fuzz` try all."""
    settled = os.environ.get("HYPOTHESIS_PROFILE", "settled") == "settled"
    return all_examples // 3 if settled else all_examples
