"""An HTML parser that survives what strangers write."""

from html.parser import HTMLParser


class LenientParser(HTMLParser):
    """Takes `<![` with an unknown word for a comment, as browsers do; Python before 3.13.4 fails on it."""

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Where a marked section ends, or -1 where it does not."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i, report)
