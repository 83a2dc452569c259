"""What the README says: sections, links, the paper, results, and claims that the code can contradict."""

from assay.repository.readme.choice import read_document, readme_files
from assay.repository.readme.claims import Claim, Topic
from assay.repository.readme.document import CodeBlock, Document, Grid, Heading, Passage
from assay.repository.readme.facts import ReadmeFacts
from assay.repository.readme.hosts import LinkKind
from assay.repository.readme.links import Link, Status, nearest_path
from assay.repository.readme.online import Checked, check_links
from assay.repository.readme.paper import Bibtex, Paper
from assay.repository.readme.reader import read_readme
from assay.repository.readme.results import ResultsTable
from assay.repository.readme.sections import Recognition, Section
from assay.repository.readme.words import Kind

__all__ = [
    "Bibtex", "Checked", "Claim", "CodeBlock", "Document", "Grid", "Heading", "Kind", "Link", "LinkKind", "Paper",
    "Passage", "ReadmeFacts", "Recognition", "ResultsTable", "Section", "Status", "Topic", "check_links",
    "nearest_path", "read_document", "read_readme", "readme_files",
]  # fmt: skip
