"""How the time to read printed scores grows with the numbers in one line: CPU seconds for 10,000 to 80,000 numbers.

    python bench/reported_growth.py [--largest NUMBERS]

Twice the numbers may take about twice the time. The lines are of the kinds that once took the square of it: values
behind one name, names and values in turn, sizes, settings, sentences.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from assay.reported import read_text

SMALLEST = 10_000
LINES: dict[str, Callable[[int], str]] = {
    "one name, many values": lambda n: "accuracy " + " ".join(f"0.{9000 + at % 999}" for at in range(n)),
    "names and values": lambda n: ", ".join(f"accuracy of 0.{9000 + at % 999}" for at in range(n)),
    "sizes": lambda n: ", ".join(f"{100 + at % 99} images" for at in range(n)),
    "years and settings": lambda n: ", ".join(f"in 2019 we trained {at % 90 + 2} epochs" for at in range(n // 2)),
    "sentences": lambda n: " ".join(f"The accuracy was 0.{9000 + at % 999}." for at in range(n)),
}


def seconds(text: str) -> float:
    """CPU seconds to read a text."""
    start = time.process_time()
    read_text(text)
    return time.process_time() - start


def main() -> None:
    """Print one line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=8 * SMALLEST)
    largest = parser.parse_args().largest
    numbers = [SMALLEST * 2**at for at in range(20) if SMALLEST * 2**at <= largest]
    print(f"{'line':<24}" + "".join(f"{n:>10,}" for n in numbers))
    for kind, line in LINES.items():
        print(f"{kind:<24}" + "".join(f"{seconds(line(n)):>10.2f}" for n in numbers), flush=True)


if __name__ == "__main__":
    main()
