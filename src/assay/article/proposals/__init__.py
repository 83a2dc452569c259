"""Proposals: what a paper seems to document, sub-component by sub-component, each with the words that say so."""

from assay.article.proposals.passage import Passage, words_of
from assay.article.proposals.search import Proposal, propose, record_of, unsearched

__all__ = ["Passage", "Proposal", "propose", "record_of", "unsearched", "words_of"]
