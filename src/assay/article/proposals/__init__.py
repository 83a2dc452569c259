"""Proposals: what a paper seems to document, sub-component by sub-component, each with the words that say so."""

from assay.article.proposals.passage import Passage, words_of
from assay.article.proposals.propose import Proposal, propose, record_of

__all__ = ["Passage", "Proposal", "propose", "record_of", "words_of"]
