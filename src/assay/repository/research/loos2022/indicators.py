"""The measured indicators of one repository, as the formulas of the thesis take them."""

from __future__ import annotations

from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Indicators:
    """The indicators of Table 5.1 that the thesis scores. Shares are percentages, as in its Appendix B.

    None means that nobody measured it: links are tried only online, pylint runs and images are built only when asked.
    """

    readmes: int = 0
    readme_lines: float = 0.0
    """Lines of a README, in the mean."""
    links: int = 0
    """Links in all READMEs together."""
    reachable_links: float | None = None
    """How many of them in a hundred lead somewhere."""
    licences: int = 0
    open_licences: int = 0
    comment_ratio: float = 0.0
    """Lines of code for each line of comment; all lines of code when there is no comment."""
    pylint: float | None = None
    imports: int | None = None
    """Modules imported from outside; None when a file of results does not tell."""
    config_files: int | None = None
    declared: float = 0.0
    """Imported modules that a configuration file declares."""
    strict: float = 0.0
    """Declarations that name one version."""
    public: float = 0.0
    """Imported modules that anybody can install."""
    dataset: bool = False
    seed_lines: int = 0
    fixed_seeds: float = 0.0
    """Seed declarations with a fixed value."""
    models: bool = False
    logging: int = 0
    """Signs of a library that logs hyperparameters."""
    built: bool | None = None

    @property
    def links_each(self) -> float | None:
        """Links that lead somewhere for each README; none at all is certain even if nothing was tried."""
        if not self.readmes or not self.links:
            return 0.0
        return None if self.reachable_links is None else self.links * self.reachable_links / (self.readmes * 100)
