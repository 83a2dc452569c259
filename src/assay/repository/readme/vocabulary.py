"""The words by which sections are known: in headings, and in what stands below them."""

from __future__ import annotations

import re
from enum import StrEnum

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.phrases import (
    APPLYING,
    AVERAGED,
    CALL,
    CARD,
    COMMAND,
    FRAMEWORK,
    HERE,
    HOW,
    KNOWN_DATA,
    LEARNER,
    LEARNT,
    LISTED,
    METRIC,
    MODELS,
    NO_SPLIT,
    NOT_WE,
    ON,
    ROOM,
    RUN,
    SAMPLES,
    SCORING,
    SCRIPT_END,
    SPAN,
)


class Kind(StrEnum):
    """What a section is about."""

    INSTALL = "install"
    DATA = "data"
    TRAIN = "train"
    EVALUATE = "evaluate"
    RESULTS = "results"
    HARDWARE = "hardware"
    CITATION = "citation"
    USAGE = "usage"


@dataclass(frozen=True)
class Words:
    """How one kind is spoken of. `firm` words decide, `weak` ones need support from what stands below the heading."""

    firm: str
    weak: str
    spelt: tuple[str, ...]
    """Words that are recognised though misspelt."""
    foreign: str
    code: str
    """Commands that belong to such a section, in lower case."""
    text: str
    """Sentences that do, in lower case: to look in a text that is, is much faster than to look in either case."""
    never: str = "(?!)"
    """Headings in which the words mean something else."""
    hints: tuple[str, ...] = ("",)
    """Letters of which some stand in every sentence that `text` finds: to look for them first is much faster."""


TABLE: dict[Kind, Words] = {
    Kind.INSTALL: Words(
        firm=r"install\w*|setup|set ?up|setting up|requirements?|required|prerequisites?|pre requisites?|dependenc\w+|"
        r"virtual ?env\w*|conda|pip|how to build|^(?:python |external |main )?(?:libraries|packages)$",
        weak=r"environments?|prepar\w+|getting started|get started|start|build\w*|compil\w+|docker|packages?|librar\w+|"
        r"quick ?start|usage|use|using|configuration|needed|versions?|instructions?|running|run|tested|software|code",
        spelt=("installation", "requirements", "prerequisites", "dependencies", "install"),
        foreign=r"安装|安裝|环境|環境|依赖|依賴|准备工作|インストール|セットアップ|설치|instalaci[oó]n|instala[cç][aã]o|"
        r"abhängigkeiten|установка|зависимости",
        code=r"\b(?:pip[\d.]*|conda|mamba|poetry|pipenv|uv pip|apt(?:-get)?|brew|npm|yum)\s+(?:-\S+\s+)?(?:install|"
        r"sync|create|env)\b|\bnpm ci\b|\bconda env\b|"
        r"setup\.py\s+(?:install|develop|build)|\buv sync\b|docker(?:-compose)?\s+(?:build|pull|up|run)\b|"
        r"install\.packages|install_github|pkg\.(?:add|instantiate)|requirements[\w.-]*\.txt|environment\.ya?ml|"
        r"\bmake install\b|\binstall\w*\.sh\b|singularity (?:build|pull)|\bdocker\S{0,40}build\S{0,20}\.sh\b|"
        rf"\bbuild\S{{0,20}}docker\S{{0,20}}\.sh\b|^[\s*+-]{{0,8}}{FRAMEWORK} ?[=<>~]{{1,2}} ?v?\d",
        text=rf"\b(?:requires?|required|depend\w*|tested|needs?|prerequisit\w+|works? with|install)\b"
        rf"[^\n]{{0,60}}\b{FRAMEWORK}\b|"
        rf"\b(?:written in|implemented (?:in|with|using|on)|developed (?:in|with|using|for|on|under)|"
        rf"built (?:on|with|using)|running|run|runs|under|based on|use[ds]?|using)\b[^\n]{{0,60}}\b{FRAMEWORK}\W{{0,4}}"
        rf"(?:v|version )?\d+(?:\.[\dx*]+)*\+?(?![\w%])|"
        rf"^[ \t*+-]{{0,24}}{FRAMEWORK}\s{{0,8}}(?:[=<>~(@:-]{{1,6}}\s{{0,8}})?v?\d(?![\d.]{{0,12}} \(default,)|"
        rf"\b{FRAMEWORK} ?\((?:v|version )?\d{{1,4}}\.\d[\d.]{{0,8}}\)|pip3? install|conda install|"
        rf"requirements\.txt|"
        r"\b(?:requirements?|dependenc(?:y|ies)|packages|libraries|environment)\b[^\n]{0,60}\b(?:listed|specified|defined|"
        r"provided|described|pinned|found|given|declared)\b[^\n]{0,40}"
        r"(?:env\w{0,10}|requirements?|conda|pyproject|pipfile)[\w-]{0,30}\.(?:ya?ml|toml|txt|lock)\b|"
        r"(?:^|\b(?:code|project|repository|package|scripts?|software|program|this|it) )requires? "
        r"(?!(?:an? |the |at least |some |\d|gpu|cuda))[\w.+-]{2,30}(?: [\w.+-]{1,20}){0,2}? to (?:run|work)\b",
        never=r"(?:system|hardware|data|dataset|input|memory) requirements?|(?:training|data|experimental|"
        r"experiment|model|"
        r"evaluation|hardware) set ?up",
    ),
    Kind.DATA: Words(
        firm=r"data|datasets?|data ?sets?|corpus|corpora|dataset\w*",
        weak=r"downloads?|downloading|pre ?process\w*|prepar\w+|inputs?|features|embeddings|images|prerequisites?|"
        r"setup|"
        r"getting started|usage|requirements|format|quick ?start|run\w*|train\w*|instructions?|how to|experiments?|"
        r"demo|"
        r"files|introduction|start|reproduc\w+|materials?",
        spelt=("dataset", "datasets", "preprocessing"),
        foreign=r"数据|數據|資料集|データ|데이터|daten|données|datos|dados|данные|датасет",
        code=r"\s--?(?:data|data[_-]?set|corpus)(?:[_-]?name)?(?:=| {1,3})[\"']?"
        r"(?!(?:your|my|path|custom|name|data\w{0,4}|the|none|train\w{0,4}|test|dir|folder|input|true|false|an?|some|all|"
        r"example|own|new)\b)[a-z][\w-]{1,40}[\"']?(?=\s|$)|"
        r"\bdownload\w*data|data\w*download|\bget_data|prepare\w*_?data|(?<!--)preprocess|make_dataset|"
        r"data[\w-]*\.(?:sh|zip|tar|tgz|csv)|"
        r"(?:build|create|generate|convert|process|make)_?\w*(?:data|corpus|tfrecord|lmdb|vocab)|\bdvc pull\b|"
        r"kaggle (?:datasets|competitions)|(?:wget|curl|gdown|gsutil|aws s3)\b[^\n]{0,300}"
        r"(?:data|train(?!ed)|corpus|images)|"
        r"(?:wget|curl|gdown|gsutil|aws s3)\b(?![^\n]{0,300}(?:models?|weights|checkpoints?|ckpts?|pre-?trained|linux|"
        r"x86|mujoco|embeddings|install|[/_-]bin[/_.-]))[^\n]{0,300}(?:\.zip|\.tar|\.tgz)",
        text=rf"\bdownload\w*\b[^\n]{{0,100}}\b(?:data|data ?sets?|corpus|corpora|images|annotations|splits?|"
        rf"{KNOWN_DATA})\b|"
        r"\b(?:fetch|obtain|retrieve|acquire) (?!(?:\w{1,20} ){0,2}(?:on|in|for|from|with|by)\b)(?:\w{1,20} ){0,3}"
        r"(?:data|data ?sets?|corpus|corpora)\b|"
        r"\bget (?:the|our|your) (?:\w{1,20} ){0,2}(?:data|data ?sets?|corpus)\b|"
        r"\b(?:data|data ?sets?|corpus) used (?:in|for|by|to)\b[^\n]{0,80}\b(?:is|are|was|were)\b|"
        r"\bsimulated (?:\w{1,20} )?data ?(?:sets?)?\b|"
        r"\bsynthetic (?:\w{1,20} )?data ?(?:sets?)? (?:is|are|was|were|with|of)\b|"
        r"\b(?:script|notebook|code|we|simulator)s? (?:\w{1,20} )?(?:simulates?|generates?) (?:\w{1,20} ){0,3}"
        r"data ?(?:sets?)?\b|"
        r"\b(?:data ?sets?|data) (?:has|have|contains?|includes?|comprises?|covers?|spans?)\b[^\n]{0,60}"
        r"\b(?:\d|columns?|rows|features|records|samples|images|observations|attributes|variables)|"
        r"\bdata (?:source|description|dictionary)s?\s?:|"
        r"\bdata (?:is |are |was |were )?(?:scraped|collected|sourced|gathered|taken|retrieved) "
        r"(?:from|by|via|using)\b|"
        r"\b(?:i|we) (?:have )?used (?:the )?(?:\w{1,20} ){0,2}(?:files|images|recordings|data|data ?sets?|corpus|"
        r"videos|scans|reviews|tweets)\b[^\n]{0,40}\b(?:from|of|by|provided|available)\b|"
        r"\b(?:data|data ?sets?|corpus) (?:for \w{1,20} \w{1,20} |used )?(?:comes?|originates?|consist(?:s|ed)|"
        r"(?:is|was|are|were) (?:taken|provided))\b|"
        r"\b(?:test|training|train|validation|dev|evaluation) sets?\b[^\n]{0,120}\b(?:downloaded|"
        r"found (?:here|at|in|on|under|below))\b|"
        r"\b(?:data|data ?sets?|corpus|corpora)\b[^\n]{0,80}\b(?:available|downloaded|download|obtained|"
        r"found (?:here|at|in|on|under)|"
        r"placed|should be|must be|extract|unzip|organi[sz]ed|folder|from https?:)|"
        r"\b(?:found|located|kept|included|provided|contained|available) (?:in|under|inside|within|at) (?:the |our )?"
        r"[`\"'*\[]{0,3}(?:\./)?(?:data|datasets?|corpus)(?:/(?![\w.-])|/?[`\"'*\]]{0,3} (?:sub-?)?directory\b)|"
        r"\bto (?:generate|create|produce|simulate|prepare|build) "
        r"(?:the |our |your |some |synthetic |simulated |training ){0,2}"
        r"(?:data|data ?sets?|corpus|training (?:samples|examples|images))\b|"
        r"\b(?:generate|create|make|build|extract)s? (?:[\w-]{1,20} ){0,4}training "
        r"(?:samples|examples|data|images|pairs)\b|"
        r"\bdata ?sets? (?:utili[sz]ad[oa]s?|usad[oa]s?|utilisés?|utilizzat[oi])\b|"
        r"(?<!-)\b(?:put|place|save|store|extract|unzip|copy|move)\b(?! (?:\w{1,20} ){0,3}(?:results?|outputs?|logs?|"
        r"plots?)\b)[^\n]{0,50}\b(?:data|data ?sets?|images|corpus)\b",
        never=r"(?:specif\w+|set\w*|chang\w+|configur\w+) (?:the |your )?data (?:and \w{1,20} )?"
        r"(?:director(?:y|ies)|paths?|dirs?|folders?)|"
        r"data (?:scientists?|engineers?|analysts?|augment\w*|load\w*|"
        r"parallel\w*|science|driven|efficient|free|structures?|types?|protection|"
        r"privacy)|data ?sets? (?:transform\w*|augment\w*|load\w*|class(?:es)?)|"
        r"(?:own|custom|new|your|other) (?:data|data ?sets?|corpus|images)|"
        r"codes? (?:and|&) data(?: ?sets?)?(?: (?:for|of|from|used in)\b.*)?",
    ),
    Kind.TRAIN: Words(
        hints=(
            "train", "tun", "fits", "trein", "entr", "modèle", "experiment", "parameter", "model", "dvc", "snakemake",
            "kedro", "mlflow",
        ),
        firm=r"train|training|trains|pre ?train|pre ?training|re ?train\w*|fine ?tun(?:e|ing)|meta ?train\w*|"
        r"hyper ?parameters? (?:tuning|search|optimi[sz]ation)|"
        r"distill?ation|models? (?:building|fitting|development|creation)|building (?:the |a )?models?|"
        r"modell?ing (?:approach|details|strategy|methodology|process|pipeline|workflow)|^modell?ing$|"
        r"^(?:the )?(?:machine learning|ml|predictive) models?(?: used)?$",
        weak=r"usage|use|using|run|running|runs|experiments?|reproduc\w+|how to|getting started|quick ?start|"
        r"examples?|start|commands?|"
        r"scripts?|main|learn\w*|tutorial|search\w*|instructions?|launch\w*|demo|execut\w+|code|optimi\w+|results?|"
        r"steps?|"
        r"baselines?|arguments|options|procedure|benchmarks?|get started|implementation|setup|replicat\w+",
        spelt=("training", "finetuning", "pretraining"),
        foreign=r"训练|訓練|学習|훈련|학습|entrenamiento|treinamento|entraînement|обучение|预训练|微调",
        code=COMMAND + rf"(?!\S{{0,80}}(?:eval|plot|infer|predict|_eda_))(?:[^\n]{{0,200}}?[\s/_.=-])?{NO_SPLIT}"
        r"(?:pre)?(?:train(?!ed)|finetun|fine_tune|fine-tune|fit\b|search|learn)|"
        rf"{HERE}\S{{0,80}}train\S{{0,40}}|"
        r"\b(?:dvc (?:repro|exp run)|snakemake|kedro run|mlflow run)\b|"
        r"--(?:num_|n_|max_)?epochs?\b|--learning[_-]rate\b|--lr\b|\.fit\(|trainer\.train\(",
        text=r"(?<!\bwe )\btrain (?:the|a|your|our) (?:\w{1,20} ){0,4}(?:models?|networks?|agents?)\b"
        rf"{ON}(?::\s*$|\bby (?:running|executing|calling)\b|\b(?:run|execute|python)\b|"
        r"\b(?:with|using|via) (?:the )?(?:following|script|command|notebook)\b)|"
        rf"(?<!% )(?<!used )\b(?:to|you can|for) (?:(?:start|begin|run|perform|do) )?(?:the )?"
        rf"(?:pre-?|re-?)?train(?:ing)?\b{NOT_WE}{ON}{HOW}|"
        r"(?<!\bwe )\b(?:run|start|launch|begin|execute) (?:the |a |model )?(?:pre-?|re-?)?training\b|"
        rf"(?<![\w-])(?:\d{{1,3}}[_-])?(?:run_|main_|do_)?(?:(?:pre)?train(?!ed|_test|_?data)|fine[_-]?tun)"
        rf"\w{{0,30}}{SCRIPT_END}|"
        rf"(?<![\w-])(?!plot|draw|vis)\w{{1,50}}_(?:(?:pre)?train(?:ing)?(?!ed|_?(?:set|data|curve|test|log))|fine_?tun(?:e|ing))"
        rf"\w{{0,20}}{SCRIPT_END}|"
        rf"(?<![\w-])(?:\d{{1,3}}[_-])?(?:build_model|model(?:l?ing|_building|_fitting|_training|_development))"
        rf"{SCRIPT_END}|"
        rf"{LISTED}(?:(?:pre-?)?trains|fits|fitting|fine-?tun(?:es|ing)|(?:pre-?)?train(?:ing)?"
        rf"(?! ?(?:data|sets?|images|curves?|logs?|history|and|/|examples|samples|results|loss)\b))\b|"
        rf"{SCRIPT_END}\W{{1,6}}(?:\w{{1,20}} ){{0,4}}(?:trains|fits|fine-?tunes|"
        rf"train(?:ing)?(?: and \w{{1,20}})? (?:the|a|of|our)\b)|"
        rf"\b(?:scripts?|notebooks?|commands?|code) (?:\w{{1,20}} ){{0,2}}(?:to|for) (?:pre-?|re-?)?train(?:ing)?\b"
        rf"(?! and test sets?){ON}{SCRIPT_END}|"
        r"\b(?:use|run|execute) (?:the |our |these )?(?:\w{1,20} ){0,2}(?:scripts?|notebooks?|files)\b[^\n.]{0,60} to "
        r"(?:pre-?|re-?)?train\b|"
        r"\bsteps (?:to|for) (?:run |start )?(?:the )?(?:re-?)?train(?:ing)?\b|"
        rf"{LISTED}(?:model (?:building|development|fitting)|(?<!for )modell?ing|entraîne\w{{0,6}}|"
        rf"développement (?:du|de|des) modèles?|"
        rf"treina\w{{0,6}}|entrena\w{{0,7}})\b(?! (?:data|sets?))|"
        r"\bnotebooks?\b[^\n]{0,40}\b(?:performs?|runs?|does|for|contains?|to) (?:\w{1,20} ){0,3}(?:train(?:ing)?|"
        r"fine-?tuning|(?:hyper-?)?parameter (?:tuning|search|optimi[sz]ation))\b|"
        r"\b(?:reproduc|replicat|re-?run|run|conduct)\w{0,5} (?:\w{1,20} ){0,4}experiments?\b[^\n]{0,100}"
        rf"(?:{SCRIPT_END}|(?<=run )(?:\w{{1,20}} ){{0,2}}(?:notebooks?|scripts?)\b)",
        never=r"(?:training|train) (?:(?:val\w{0,7} )?test splits?|serv\w+|"
        r"data|datasets?|sets?|logs?|time|curves?|results?|tricks|images|details)|"
        r"pre ?train(?:ing)? (?:models?|weights?)|pre ?trained|no training",
    ),
    Kind.EVALUATE: Words(
        hints=(
            "eval", "test", "valid", "infer", "predict", "generate", "sampl", "synthesi", "benchmark", "accurac",
            "metric", "scor", "confusion", "auc", "f1", "reproduc",
        ),
        firm=r"evaluat\w+|eval|testing|test|validation|validat(?:e|ing)|infer(?:ence|encing|ring)?|predicting|"
        r"^(?:(?:model|making|make|run|running|final|get|getting|live|batch|how to|train(?:ing)? and) )?"
        r"predict(?:ions?)?$",
        weak=r"accuracy|verif\w+|predict\w*|scor(?:e|ing)|benchmark\w*|usage|use|using|run|running|"
        r"experiments?|reproduc\w+|how to|"
        r"getting started|quick ?start|examples?|tests|train\w*|demo|pre ?trained|models?|results?|sampl\w+|"
        r"generat\w+|commands?|"
        r"scripts?|start|translat\w+|analysis|metrics?|steps?|play\w*|performance|visuali\w+|code|main|procedure|"
        r"replicat\w+|"
        r"fine ?tun\w+|instructions?",
        spelt=("evaluation", "evaluating", "validation", "testing"),
        foreign=r"测试|測試|评估|評估|评测|評価|평가|테스트|evaluaci[oó]n|avalia[cç][aã]o|évaluation|оценка|тестирование|验证",
        code=r"\.(?:generate|transcribe)\(\s{0,8}(?:\w{0,20}(?:prompt|input|question|audio)|\*\*|[\"'])|"
        r"\.(?:run_)?predict(?:_proba|ions?)?\(|\.(?:run_)?infer(?:ence)?\(|\bcurl\b[^\n]{0,200}/(?:\w{1,20}/){0,3}predict|"
        + RUN
        + r"(?:eval(?:uat\w*)?(?:[\s=_./-](?!\w*(?:interval|freq|episodes|steps|every|batch))|$)|"
        r"(?<!_)test(?!s|ing|data|set)|(?<=_)test\w{0,30}\.(?:py|sh)\b|--\w{0,20}_test\b|valid(?:at\w*)?\b|"
        r"\w{0,20}eval\.py)|"
        + COMMAND
        + r"(?!\S{0,80}(?:plot|draw))(?:[^\n#]{0,200}?[\s/_.=-])?\w{0,20}accurac|"
        + CALL
        + r"(?:metrics?\b|scor(?:e|ing)\b|benchmark|verify|linear_?prob|knn|"
        r"(?:infer(?:ence|encing)?|demo|enjoy)(?![a-z])|(?:generate|sample|play)(?:\.py\b|\s|$)|"
        rf"(?:generate|sample)_{SAMPLES}(?![a-z])|"
        r"(?<=[\s/=])(?:--?|run_|do_|make_)?predict(?:ions?)?(?=[\s_.]|$))|"
        rf"{HERE}\S{{0,80}}(?:eval|test|accurac|infer|predict)|"
        r"\b(?:calculate|compute)_(?:fid|bleu|metrics)|multi-bleu|"
        r"conlleval|\bevaluate\(|\w_score\(|\breproduc\w{1,20}_results?\w{0,20}\.(?:py|sh)\b",
        text=r"(?<!% )(?<!used )(?<!data )(?<!set )(?<!sets )(?<!corpus )\b(?:to|you can|for) "
        r"(?:(?:pre-?)?train(?:ing)?(?: ?[/,&] ?| and | or )(?:then )?)?"
        r"(?:evaluat(?:e|ion|ing)|test(?:ing)?|validat(?:e|ion|ing))\b"
        r"(?! (?:if|that|whether|(?:the|your|this) (?:\w{1,20} )?(?:install\w*|set ?up|environment|code|downloads?|"
        r"connection|configuration)\b))"
        rf"{NOT_WE}{ON}{HOW}|"
        r"\b(?:to|for) (?:(?:do|run|perform|make|get|obtain|start) )?(?:the )?"
        r"(?:infer(?:ence)?|predict(?:ions?|ing)?)\b[^\n]{0,100}\b(?:run|execute|python|call|launch)\b|"
        r"(?<!\bwe )\b(?:runs?|performs?|do) (?:the )?(?:model )?inference (?:on|with|using|for|by|at|against|over)\b|"
        r"(?<!\bwe )\b(?:run|start|launch|execute) (?:the |model )?(?:testing|evaluation|inference|validation):|"
        r"\A[\s*\d.)-]{0,8}trains(?:,? and | ?/ ?)(?:evaluates|tests)\b|"
        r"\b(?:flag|option|mode|argument|switch)s? (?:to|for) (?:\w{1,20} ){0,4}(?:inference|evaluat\w{1,4}|testing|"
        r"predictions?)\b|"
        r"\b(?:process|pipeline|workflow|scripts?|notebooks?|experiments?) (?:of|includes?|covers?|performs?|does|"
        r"runs?|handles?) (?:[\w,-]{1,20} ){0,8}?train(?:ing|s)?,? and "
        r"(?:evaluation|evaluat(?:es|ing)|inference|testing)\b|"
        r"\b(?:codes?|scripts?|pipeline|program|commands?|runs?|running)\b[^\n.]{0,60}\b(?:stages|steps|phases|modes|parts)\b"
        r"[^\n.]{0,100}\b(?:inference|evaluation|evaluating|testing|scoring)\b|"
        rf"{SCRIPT_END}(?![^\n]{{0,60}}\b(?:utils?|utilit|helper|shared|plot))[^\n]{{0,60}}\b{APPLYING}|"
        rf"\b{APPLYING}[^\n]{{0,60}}{SCRIPT_END}|"
        rf"\brun(?:ning)? (?:[\w./`]{{1,40}}(?:,| and|,? then)? ){{0,3}}`?(?:\w{{1,30}}/){{0,3}}"
        rf"(?:sample|generate|play|enjoy|demo){SCRIPT_END}|"
        rf"\bto (?:generate|sample|synthesi[sz]e) (?!(?:\w{{1,20}} ){{0,3}}(?:train\w*|synthetic|data\w*)\b)"
        rf"[^\n]{{0,60}}\b{SAMPLES}\b[^\n]{{0,80}}(?::|\b(?:run|execute|command)\b)|"
        rf"(?<!\bwe )\b(?:evaluate|test|validate|benchmark) (?:the |a |an |your |our |any )?{LEARNT} "
        rf"(?:\w{{1,20}} ){{0,2}}{MODELS}\b|"
        rf"(?<![\w-])(?!\w{{0,60}}?(?:data|sets?|cases?|utils?|helpers?|functions?)\.)(?:\d{{1,3}}[_-])?"
        rf"(?:(?:run|main|do|final|model|batch|make|my)_)?(?:test|eval\w{{0,10}}|validate|infer(?:ence)?)"
        rf"\w{{0,30}}{SCRIPT_END}|"
        rf"(?<![\w-])(?!(?:gp|mcmc|vi|svi|variational|bayes\w{{0,5}}|causal|posterior|exact|approximate|statistical)_inf)"
        rf"\w{{1,50}}_(?:eval(?:uat(?:e|ion))?|inference(?:_(?:demo|example|pipeline))?){SCRIPT_END}|"
        rf"(?<![\w-])(?:\d{{1,3}}[_-])?(?:(?:run|main|do|batch|make)_)?predict(?:_\w{{1,30}})?{SCRIPT_END}|"
        rf"(?<![\w-])reproduc\w{{1,20}}_results?\w{{0,20}}{SCRIPT_END}|"
        rf"{SCORING}|"
        rf"{LISTED}(?:evaluat(?:es?|ion|ing)(?! (?:metrics?|utils|functions?|results?|plots?))|inference)\b",
        never=r"unit tests?|(?:evaluate|evaluation|validation|predict) (?:sets?|data ?sets?|data)|"
        r"hypothes[ei]s (?:\w{1,20} ){0,3}(?:validat\w{1,3}|test\w{0,3})|"
        r"(?:was|were|been) (?:evaluated|tested|validated)|"
        r"install\w* (?:\w{1,20} ){1,3}for testing|npm test|contribut\w{1,4} (?:\w{1,20} ){0,3}test\w{0,3}|"
        r"test runs?|test (?:functions?|problems?|cases?|suites?|beds?|instances?|scripts?)|"
        r"api tests?|"
        r"(?:test|testing) (?:the |your )?(?:install\w*|set ?up|environment)|"
        r"test(?:ing)? (?:data|datasets?|sets?|splits?|results?|images|suite|coverage|environment)|tested|"
        r"evaluat\w+ (?:results?)|(?:run|running) (?:the )?tests?|data ?sets? (?:\w{1,20} ){0,4}(?:evaluation|testing)|"
        r"(?:variational|bayesian|causal|statistical|amorti[sz]ed|posterior|language|active|exact|approximate|type|"
        r"likelihood|free|based) inference",
    ),
    Kind.RESULTS: Words(
        firm=r"results?|findings|outcomes?|performances?|leaderboards?|"
        r"model ?zoo|scores|benchmark results|reproduced results?",
        weak=r"accurac(?:y|ies)|perform|benchmarks?|experiments?|comparisons?|compare\w*|evaluat\w+|pre ?trained|"
        r"models?|"
        r"checkpoints|figures?|examples?|"
        r"samples?|demo|outputs?|plots?|visuali\w+|reproduc\w+|metrics?|test\w*|train\w*|analysis|gallery|curves?|"
        r"qualitative|"
        r"quantitative|baselines?|introduction|abstract|summary|overview|highlights?|news|"
        r"conclusions?|insights?|observations|tl dr",
        spelt=("results", "performance", "leaderboard"),
        foreign=r"结果|結果|效果|性能|결과|성능|ergebnisse|résultats|resultados|результаты",
        code=r"^[ \t>*-]{0,8}(?:[\w()@/-]{1,30} ){0,3}(?:[\w/]{1,30}[_-])?"
        rf"(?:{METRIC}|test|valid(?:ation)?|dev)(?: set)?(?: scores?| rate)?"
        r" ?[:=][ \t]{1,4}(?:[01]?\.\d{3,20}|\d{2}\.\d{1,6} ?%?)[ \t]{0,4}$",
        text=r"\b(?:valid(?:ation)?|test|dev)\b:? (?:set )?\d{1,3}\.\d+|"
        rf"\b{METRIC}\b[^\n]{{0,40}}?\b\d{{1,3}}(?:\.\d+|(?:\.\d+)?\s?%)|"
        rf"\b\d{{1,3}}(?:\.\d+)?\s?%[^\n]{{0,25}}\b{METRIC}\b|"
        rf"(?<![\w.])\d{{0,2}}\.\d{{2,6}} {AVERAGED}(?!iou threshold){METRIC}\b|"
        rf"\b(?:achiev\w+|obtain\w*|reach\w*|gets?|got)\b[^\n]{{0,60}}\b\d{{1,3}}(?:\.\d+)?\s?%|"
        r"\b\d{1,3}\.\d{1,6}\s?%? on (?:the |our )?(?:\w{1,20} ){0,2}(?:test|validation|dev|held-?out) "
        r"(?:set|data|split)\b|"
        r"\b(?:perform(?:s|ed) (?:the )?best|outperform(?:s|ed|ing)|(?:is|was|are|were) the best[- ]performing models?|"
        r"best[- ]performing models?(?= (?:is|was|are|were|with|overall|achiev|reach|scor|obtain)|:| ?\()|"
        r"(?:achiev|obtain|reach|yield|gave|show)\w{0,3} (?:the )?(?:best|highest|lowest) (?:\w{1,20} ){0,2}"
        r"(?:accuracy|performances?|scores?|results?|auc|f1|rmse|error))\b|"
        r"\brank(?:ed|s|ing)?\b[^\n]{0,30}?(?:\b\d{1,5} ?(?:/|of|out of) ?(?:the )?\d|\btop[- ]?\d|"
        r"\b\d{1,4}(?:st|nd|rd|th)\b)|"
        r"\b(?:(?:public|private) )?(?:lb|leader ?board)\b[^\n]{0,25}?\b[01]?\.\d{2,12}\b|"
        r"\b\d{1,4}(?:st|nd|rd|th) place\b|"
        r"\b(?:public|private|lb|leader ?board) score\b[^\n]{0,20}?\d\.\d|"
        r"(?<!within an )(?<!maximum )(?<!max )\berrors? of (?:about |around |only |just |nearly |[~≈] ?)?\d{0,3}\.\d|"
        r"\b(?:final|overall|average|mean|test|validation) score of (?:about |around )?\d{0,3}\.\d|"
        r"\bscore[sd] (?:(?:an?|of|about|around|over) ){0,2}\d{0,3}\.\d{2,12}\b(?! or )|"
        rf"\b{LEARNER} \((?:the |our )?best(?:[- ]performing)?(?: model)?\)|"
        r"\btop[- ]?\d{1,2} ?% (?:\w{1,20} ){0,2}(?:approach|solution|submission|finish|rank|place|position)",
        never=r"(?:get|getting|obtain\w*|comput\w+|produc\w+|check\w*|see|"
        r"reproduc\w+|reproduction of|replicat\w+|regenerat\w+|visuali\w+|visuali[sz]ation of|generat\w+|"
        r"plot\w*|view\w*|"
        r"pars\w+|analy[sz]\w+|sav\w+|submit\w*|monitor\w*|track\w*|export\w*|understand\w*|retriev\w*|aggregat\w*|"
        r"examin\w+|explor\w+|access\w*|print\w*|"
        r"collect\w*|inspect\w*|interpret\w*|download\w*|stor\w+|load\w*|writ\w+) (?:\w{1,20} ){0,3}results?|"
        r"(?:générer|génération|reprodui\w+|reproduction|gerar|geração|generar|generación|reproducir) "
        r"(?:\w{1,20} ){0,3}(?:résultats|resultados)|"
        r"performance (?:optimi[sz]ations?|tuning|tips|monitoring|considerations?|tracking)|"
        r"results? (?:export\w*|folders?|director(?:y|ies)|files?|formats?|storage|saving|logging|structure|"
        r"aggregation)",
    ),
    Kind.HARDWARE: Words(
        hints=(
            "gpu", "tpu", "cuda", "tx", "geforce", "titan", "quadro", "tesla", "radeon", "dgx", "xeon", "ryzen", "i5-",
            "i7-", "i9-", "nvidia", "00", "80", "60", "70", "90", "40", "gb", "gib", "hour", "hrs", "day", "min",
            "graphics", "core", "cpu", "laptop", "cluster", "macbook", "workstation", "card", "machine", "server",
            "memory", "h of", "comput", "hpc",
        ),
        firm=r"hardware|gpu (?:is )?(?:recommended|required)|"
        r"computing resources?|compute|computational (?:resources?|requirements?|cost)|"
        r"system requirements?|"
        r"memory (?:usage|requirements?|consumption)|training time|run ?times?",
        weak=r"gpus?|tpus?|requirements?|system|speed|time",
        spelt=("hardware",),
        foreign=r"硬件|硬體|显存|ハードウェア|하드웨어|оборудование",
        code=rf"{ROOM}|\bgpu ?(?:[>:]=?|==) ?\d",
        text=r"\ba[456]000s?(?![\w-])|"
        r"\b(?:[gr]tx|geforce|titan (?:x|v|rtx)\w*|quadro|nvidia tesla|tesla [ackmptv]\d|"
        r"radeon|dgx|tpu[ -]?v\d|xeon|ryzen|i[579]-\d{4})|"
        r"\b(?:(?:[vatkmh]\d{2,3}|p4|p40|p100)(?= \d{2}g\b)|"
        r"(?:[vatkmh]\d{2,3}|p4|p40|p100|[1-4]0[6-9]0(?: ?ti)?)\b"
        r"(?=[^\n]{0,40}\b(?:gpus?|gb|cards?|machines?|server|memory)))|"
        r"\bnvidia [vaptkmh]\d{1,3}\b|"
        r"\b\d{1,4}x? ?(?:\w{1,20} ){0,2}gpus?\b|"
        rf"{ROOM}|"
        r"\bgpu[- ](?:hours?|days?)\b|"
        r"\b(?:on|with|use|used|using) (?:an? |the |our |one |two |four |\d )?(?:nvidia )?"
        r"[2-5]0[6-9]0(?: ?ti| super)?s?\b"
        r"(?![\w.%-]| (?:\w{1,20} )?(?:images|samples|steps|epochs|rows|iterations|examples|data))|"
        r"\b\d{1,4}(?:\.\d)? ?(?:h|hrs?|hours?|days?|min(?:ute)?s?) of (?:[\w-]{1,20} ){0,2}training\b(?! data)|"
        rf"\b(?:complet\w{{1,4}}|averag\w{{1,3}}) (?:\w{{1,20}} ){{0,4}}[~≈<]? ?{SPAN}|"
        r"\b(?:train|run|ran|test|conduct|tak)\w*\b[^\n]{0,40}\bon (?:a single|one|two|four|"
        r"eight) (?:\w{1,20} ){0,2}gpus?\b|"
        r"\b\d{1,4}(?:\.\d{1,3})? ?(?:hours?|days?|mins?|minutes) (?:on|with|using) (?:a|an|one|\d{1,4}|the)\b|"
        rf"\bgpus?\s?[:\uff1a=]\s?[\w ]{{0,20}}\d{{3}}|\b[1-5]0[6-9]0 ?ti\b|"
        rf"\b\d{{1,3}} ?[x*\xd7]? ?(?:nvidia )?{CARD}s?\b|"
        rf"\b(?:on|with|using) (?:an?|one|two|four|eight|single)(?: single| nvidia| tesla){{0,2}} {CARD}s?\b|"
        r"\b(?:runs?|ran|trained|works?|tested|run) (?:\w{1,20} ){0,3}on (?:an? |the |any |one |our |my )?"
        r"(?:\w{1,20} ){0,2}(?:cpus?|laptop|cluster|macbook|workstation)\b|"
        rf"\b(?:runs?|ran|running|trained|tested|executed?)\b {ON}(?:on|in) (?:an? |the |our )?"
        r"(?:high[- ]performance computing|hpc) (?:environment|system|machine|node)s?\b|"
        r"\b\d{1,4}[- ](?:cpu )?cores?\b"
        r"(?! (?:services?|modules?|features?|components?|concepts?|parts?|agents?|functions?|classes|ideas))|"
        r"\bcuda[- ](?:compatible|capable|enabled|supported) (?:\w{1,20} ){0,2}(?:gpus?|devices?|cards?|hardware)\b|"
        r"(?:\A|^\s{0,8}[*+-] {1,3})(?:(?:a )?cpu (?:or|and|/) )?(?:an? )?"
        r"(?:(?:nvidia|cuda|single|powerful|good|modern|recent|dedicated) ){0,2}(?:gpus?|graphics card)(?: |$)"
        r"(?![^\n]{0,40}\b(?:id|ids|index|number|version)\b)|"
        r"\b(?:an? |nvidia )gpus?\b[^\n.]{0,60} (?:is|are) (?:also |\w{1,12}ly )?"
        r"(?:required|recommended|needed|necessary|optional)\b|"
        r"\bgpus?\b ?\((?:highly |strongly )?(?:recommended|required|optional)\b|"
        r"\b(?:gpus?|cuda|tpus?)\b(?! (?:extensions?|toolkit|versions?|librar\w{1,3}|drivers?|compiler))"
        r"(?: \w{1,20}){0,2} (?:is |are )?(?:\w{1,12}ly )?(?:required|recommended|"
        r"needed|necessary|mandatory|optional)\b|"
        r"\b(?:requires?|needs?|recommend(?:ed)?|access to|works? on|equipped with)\b (?:\w{1,20} ){0,3}"
        r"(?:gpus?|tpus?|graphics card)\b(?! (?:version|support|memory is|to be set))|"
        r"\b(?:colab\w{0,12}|kaggle|cloud|aws|azure|gcp)(?: \w{1,20}){0,2} with (?:an? )?(?:\w{1,20} )?gpus?\b|"
        r"\bcpu[- ]only (?:execution|training|inference|machines?|laptops?|hardware)\b|"
        rf"\b(?:takes?|took|taking|lasts?|finish\w*|trains?|runs?) (?:\w{{1,20}} ){{0,5}}[~≈<]? ?{SPAN}|"
        rf"\b(?:training|run(?:ning)?|inference|computation) ?time[^\n]{{0,40}}[\s~≈<]{SPAN}",
        never=r"(?:multi|multiple) ?gpus?(?: \w+)?|"
        r"(?:to|onnx|container|docker|java|node|edge|js) run ?times?|"
        r"run ?times? (?:flags?|options?|arguments?|parameters?|settings?|config\w*|dependenc\w+|errors?|env\w*)",
    ),
    Kind.CITATION: Words(
        firm=r"cit(?:e|ing|ations?)|bib ?tex|bibliography|how to cite",
        weak=r"references?|papers?|publications?|acknowledge\w*|licen[cs]e|credits?|contact|about|introduction",
        spelt=("citation", "citations", "bibtex"),
        foreign=r"引用|인용|zitieren|citar|цитирование",
        code=r"@\w{3,20}\s*\{\s*[^\s,]{2,}\s*,",
        text=r"@(?:article|inproceedings|misc|conference|book|techreport|phdthesis|incollection|software)\s*\{|"
        r"\bplease\b[^\n]{0,60}\bcit(?:e|ing)\b|"
        r"(?<!not )\bcit(?:e|ing) (?:our|this|the|it|us|as)\b|\bif you (?:use|find)\b[^\n]{0,200}\bcit(?:e|ing)\b|"
        r"\bhow to cite\b",
        never=r"citation (?:networks?|graphs?|data\w*|prediction|counts?)|number of citations|"
        r"(?:results?|numbers|figures|tables|files) to cite",
    ),
    Kind.USAGE: Words(
        firm=r"usages?|use|using|run|running|runs|quick ?start\w*|getting started|get started|how to|examples?|"
        r"tutorials?|demos?|"
        r"instructions?|launch\w*|guide|walk ?through|commands?|cli|command line\w*|notebooks?",
        weak=r"experiments?|reproduc\w+|start|scripts?|code|main|api|train\w*|evaluat\w+|test\w*|inference|"
        r"predict\w*|play\w*",
        spelt=("quickstart", "examples", "tutorial", "tutorials"),
        foreign=r"使用|用法|运行|運行|快速开始|使い方|実行|사용법|실행|uso|verwendung|utilisation|использование|запуск",
        code=r"\b(?:python|bash|sh|torchrun|accelerate|deepspeed|make|julia|rscript|th|jupyter)\S*\s+\S|"
        r"^[ \t]{0,24}(?:import|from)\s{1,8}\w|library\(",
        text=r"\b(?:python|bash|sh)\d? +[\w/.-]+\.(?:py|sh)\b",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Patterns:
    """The compiled form of `Words`."""

    words: Words
    firm: re.Pattern[str]
    weak: re.Pattern[str]
    foreign: re.Pattern[str]
    never: re.Pattern[str]
    code: re.Pattern[str]
    text: re.Pattern[str]


def _compiled(words: Words) -> Patterns:
    return Patterns(
        words,
        firm=regex(rf"\b(?:{words.firm})\b"),
        weak=regex(rf"\b(?:{words.weak})\b"),
        foreign=regex(words.foreign),
        never=regex(rf"\b(?:{words.never})\b"),
        code=regex(words.code, re.MULTILINE),
        text=regex(words.text, re.MULTILINE),
    )


PATTERNS: dict[Kind, Patterns] = {kind: _compiled(words) for kind, words in TABLE.items()}
