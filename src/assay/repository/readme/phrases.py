"""Parts of sentences and commands that the patterns of several sections share; all for text in lower case."""

from __future__ import annotations

FRAMEWORK = (
    r"(?:python|pytorch|torch(?:vision)?|tensorflow(?:-gpu)?|keras|theano|caffe|mxnet|jax|cuda|cudnn|numpy|scipy|"
    r"scikit-learn|"
    r"sklearn|pandas|matlab|opencv|gym|mujoco|julia|transformers|dgl|networkx|lasagne|chainer|paddlepaddle)"
)
METRIC = (
    r"(?:acc|accurr?acc?y|top-?[15]|f1(?:-?score)?|auc|auroc|miou|iou|bleu|rouge|perplexity|ppl|rmse|mse|mae|precision|"
    r"recall|fid|psnr|ssim|error rate|wer|cer|dice|ndcg|(?:hits|map|mrr|ndcg|recall|precision)@\d+|mrr)"
)
AVERAGED = (
    r"(?:(?:test|validation|val|dev|mean|average|overall|final|macro|micro|weighted|balanced|roc|pr|cv|in|of)[- ]){0,3}"
)
"""What may stand between a number and the score that it is."""
COMMAND = (
    r"(?:\b(?:python[\d.]*(?! -c\b)|bash|sh|torchrun|accelerate|deepspeed|mpirun|rscript|julia|th)|^[\s$>]{0,8}make)\s"
)
"""What a command begins with. Comments say "make" of anything, so that one has to begin its line."""
RUN = COMMAND + r"(?:[^\n]{0,200}?[\s/_.=-])?"
"""A command up to the beginning of one of its words, or of a part of a word."""
CALL = COMMAND + r"(?:[^\n#]{0,200}?[\s/_.=-])?"
"""The same without the comment behind it: many comments speak of predictions and samples."""
ON = r"(?:[^\n.]|\.(?!\s)){0,100}"
"""The rest of a sentence; names of files have points too."""
NO_SPLIT = r"(?<!split )(?<!split=)(?<!subset )(?<!subset=)(?<!partition )(?<!partition=)"
"""What stands before "train" where it is a part of the data that a command is for."""
HERE = r"(?:^|[$>;&]|=\S{1,30})\s{0,8}\./"
"""A script in this folder, as a command; a folder of data or logs stands behind one."""
HOW = (
    r"(?::|\b(?:run|use|execute|python)\b|(?:,|\bplease|\bsimply|\bjust|\bcan|\bmust|\bshould|\bfirst) "
    r"(?:please |simply |just |you can |first )?(?:refer to|set|modify|change|replace|specify|follow|launch|call|type|"
    r"open|edit|submit|check|see|go to)\b(?! (?:the |our |this )?(?:paper|article|report|section|appendix|thesis)))"
)
"""How one does what a sentence has begun to speak of; to read of it in the paper is no way to do it."""
NOT_WE = r"(?!,? we (?!run|use|execute|call|provide|recommend|follow))"
"""What we did is a description, and tells nobody what to do."""
SCRIPT_END = r"\.(?:py|sh|ipynb|lua|m|r|jl)\b"
LISTED = (
    r"^[\s*+|>├└│─•\d.)-]{0,24}[`\[*]{0,3}(?![\w./-]{0,60}_(?:utils?|helpers?|functions?)\.)[\w./?*-]{1,80}"
    + SCRIPT_END
    + r"[`\])*]{0,4}(?!\w)[ \t]{0,40}[#:←–—→|(-]{1,4}"
    r"(?![^\n]{0,90}\b(?:utils?|utilit\w{1,4}|helpers?|plot\w{0,5}|visuali\w{1,8}|streamlit|flask|fastapi|unit tests?|"
    r"api|loads?|loading|pre-?process\w{0,6})\b)[^\n]{0,80}?\b"
)
"""A file in a list of files, up to one of the words that say what it is for."""
SCORING = (
    r"(?!^[^\w\n]{0,24}(?:\d{1,2}[.)] )?[^\w\n]{0,4}[\w./?*-]{0,60}(?:metric|measure|score|loss|train)[\w?*-]{0,30}\.)"
    + LISTED
    + r"(?:calculat|comput|report|return|measur|collect|print)(?:es?|s|ing)? (?![^\n]{0,60}\b(?:loss|class|methods)\b)"
    r"(?:[\w,-]{1,20} ){0,7}?(?:accurac(?:y|ies)|metrics|scores|confusion matri\w{1,3}|(?:roc-?)?auc|f1)\b"
)
"""A file in a list of files that is said to compute scores; a module of measures only has what others call."""
APPLYING = r"(?:evaluation|inference|prediction|scoring) (?:scripts?|notebooks?|program|code|example|demo)\b"
LEARNT = r"(?:(?:pre-?)?trained|fine-?tuned|learn(?:ed|t)|saved)"
MODELS = r"(?:models?|networks?|agents?|polic(?:y|ies)|checkpoints?|weights|classifiers?|algorithms?|detectors?)"
LEARNER = (
    r"(?:regression|forests?|trees?|boost\w{0,5}|bayes|machines?|neighbou?rs|stacking|ensemble|lstm|gru|svm|mlp|"
    r"transformer|\w{0,12}bert\w{0,4}|\w{0,12}net[\w-]{0,6}|cnn|rnn|gnn|gcn)"
)
"""The last word of what one calls a model; "best.pt (best model)" is a file."""
SAMPLES = (
    r"(?:samples?|images?|pictures?|examples?|texts?|faces?|predictions?|captions?|audio|music|videos?|molecules?|"
    r"answers?|summar(?:y|ies)|translations?|outputs?|sentences?|submissions?)"
)
CARD = r"(?:[vaph]100|h200|a[456]0(?:00)?|l40s?|p40|k80)"
ROOM = (
    r"\b\d{1,4} ?gi?b\+? (?:(?:of )?(?:\w{1,20} )?(?:memory(?! cards?)|ram|vram|gpu)|"
    r"(?:laptop|graphics|nvidia) (?:chips?|cards?))|\bv?ram ?(?:[:\u2265>]=?|\|) ?\d{1,4} ?gi?b\b"
)
SPAN = (
    r"(?:\d{1,4}(?:[.:]\d{1,3})?(?: ?(?:-|to) ?\d{1,4})? ?(?:hours?|hrs|days?|min(?:ute)?s?)|"
    r"(?:several|many) (?:hours|days)|(?:an hour|a day|a week|half an hour|half a day|one hour|one day|"
    r"(?:two|three|four|five) (?:hours|days)))\b"
    r"(?! (?:of|ahead|window|history)\b(?! (?:training|comput\w{1,6}))\b)"
)
"""How long something runs; "a few minutes" says nothing, and "24 hours of speech" are data."""
KNOWN_DATA = (
    r"(?:imagenet|cifar\S*|coco|mnist|squad|glue|wikitext\S*|movielens|shapenet|kitti|celeba\S*|librispeech|voc\d*)"
)
