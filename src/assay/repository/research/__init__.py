"""Research about repositories: the measures of Loos (2022), calibration, studies of many repositories, trial builds.

`assay repo check` needs none of it, unless `--profile loos2022` asks for it.
"""
