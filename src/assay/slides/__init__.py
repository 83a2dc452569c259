"""A whole-slide pipeline in which every step is an explicit, recorded choice, to measure what a choice costs.

Fell et al. (2022) reimplemented three pipelines and found that missing details decide the result, but not which
detail. Here each step of their section 3 is one table of a configuration file, and the file is the answer to their
checklist; synthetic slides let anybody run it. Nothing heavy is imported before a command runs.
"""
