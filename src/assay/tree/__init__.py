"""A bounded, read-only view of what is audited: a folder, a commit of a git repository, or an archive."""

from assay.tree.files import Commit, File, Limits, Link, Tree
from assay.tree.opening import open_tree, tree_of

__all__ = ["Commit", "File", "Limits", "Link", "Tree", "open_tree", "tree_of"]
