"""The words by which sections are known: in headings, and in what stands below them."""

from __future__ import annotations

import re
from enum import StrEnum

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.phrases import (
    CALL,
    CARD,
    COMMAND,
    FRAMEWORK,
    HERE,
    HOW,
    KNOWN_DATA,
    LEARNT,
    METRIC,
    MODELS,
    ON,
    ROOM,
    RUN,
    SAMPLES,
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
        r"virtual ?env\w*|conda|pip|how to build",
        weak=r"environments?|prepar\w+|getting started|get started|start|build\w*|compil\w+|docker|packages?|librar\w+|"
        r"quick ?start|usage|use|using|configuration|needed|versions?|instructions?|running|run|tested|software|code",
        spelt=("installation", "requirements", "prerequisites", "dependencies", "install"),
        foreign=r"安装|安裝|环境|環境|依赖|依賴|准备工作|インストール|セットアップ|설치|instalaci[oó]n|instala[cç][aã]o|"
        r"abhängigkeiten|установка|зависимости",
        code=r"\b(?:pip[\d.]*|conda|mamba|poetry|pipenv|uv pip|apt(?:-get)?|brew|npm|yum)\s+(?:-\S+\s+)?(?:install|"
        r"sync|create|env)\b|"
        r"\bconda env\b|setup\.py\s+(?:install|develop|build)|\buv sync\b|docker(?:-compose)?\s+(?:build|pull|up)|"
        r"install\.packages|install_github|pkg\.(?:add|instantiate)|requirements[\w.-]*\.txt|environment\.ya?ml|"
        r"\bmake install\b|\binstall\w*\.sh\b|singularity (?:build|pull)|\bdocker\S{0,40}build\S{0,20}\.sh\b|"
        rf"\bbuild\S{{0,20}}docker\S{{0,20}}\.sh\b|^[\s*+-]{{0,8}}{FRAMEWORK} ?[=<>~]{{1,2}} ?v?\d",
        text=rf"\b(?:requires?|required|depend\w*|tested|needs?|prerequisit\w+|written in|implemented (?:in|with|"
        rf"using)|"
        rf"developed (?:in|with|using|for)|works? with|built (?:on|with)|running|under|"
        rf"install)\b[^\n]{{0,60}}\b{FRAMEWORK}\b|"
        rf"^[\s*+-]*{FRAMEWORK}\s*(?:[=<>~(@:-]+\s*)?v?\d+(?:\.[\dx*]+)*|pip3? install|conda install|"
        rf"requirements\.txt",
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
        code=r"\bdownload\w*data|data\w*download|\bget_data|prepare\w*_?data|preprocess|make_dataset|"
        r"data\w*\.(?:sh|zip|tar|tgz|csv)|"
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
        r"\b(?:i|we) (?:have )?used (?:the )?(?:\w{1,20} ){0,2}(?:files|images|recordings|data|data ?sets?|corpus|"
        r"videos|scans|reviews|tweets)\b[^\n]{0,40}\b(?:from|of|by|provided|available)\b|"
        r"\b(?:data|data ?sets?|corpus) (?:for \w{1,20} \w{1,20} |used )?(?:comes?|originates?|consist(?:s|ed)|"
        r"(?:is|was|are|were) (?:taken|provided))\b|"
        r"\b(?:test|training|train|validation|dev|evaluation) sets?\b[^\n]{0,120}\b(?:downloaded|"
        r"found (?:here|at|in|on|under|below))\b|"
        r"\b(?:data|data ?sets?|corpus|corpora)\b[^\n]{0,80}\b(?:available|downloaded|download|obtained|"
        r"found (?:here|at|in|on|under)|"
        r"placed|should be|must be|extract|unzip|organi[sz]ed|folder|from https?:)|"
        r"\b(?:put|place|save|store|extract|unzip|copy|move)\b(?! (?:\w{1,20} ){0,3}(?:results?|outputs?|logs?|"
        r"plots?)\b)[^\n]{0,50}\b(?:data|data ?sets?|images|corpus)\b",
        never=r"data (?:augment\w*|load\w*|parallel\w*|science|driven|efficient|free|structures?|types?|protection|"
        r"privacy)|data ?sets? (?:transform\w*|augment\w*|load\w*|class(?:es)?)|"
        r"(?:own|custom|new|your|other) (?:data|data ?sets?|corpus|images)",
    ),
    Kind.TRAIN: Words(
        hints=("train", "tun", "fits", "experiment", "parameter", "dvc", "snakemake", "kedro", "mlflow"),
        firm=r"train|training|trains|pre ?train|pre ?training|re ?train\w*|fine ?tun(?:e|ing)|meta ?train\w*|"
        r"distill?ation",
        weak=r"usage|use|using|run|running|runs|experiments?|reproduc\w+|how to|getting started|quick ?start|"
        r"examples?|start|commands?|"
        r"scripts?|main|learn\w*|tutorial|search\w*|instructions?|launch\w*|demo|execut\w+|code|optimi\w+|results?|"
        r"steps?|"
        r"baselines?|arguments|options|procedure|benchmarks?|get started|implementation|setup|replicat\w+",
        spelt=("training", "finetuning", "pretraining"),
        foreign=r"训练|訓練|学習|훈련|학습|entrenamiento|treinamento|entraînement|обучение|预训练|微调",
        code=RUN + r"(?:pre)?(?:train(?!ed)|finetun|fine_tune|fine-tune|fit\b|search|learn)|"
        rf"{HERE}\S{{0,80}}train\S{{0,40}}|"
        r"\b(?:dvc (?:repro|exp run)|snakemake|kedro run|mlflow run)\b|"
        r"--(?:num_|n_|max_)?epochs?\b|--learning[_-]rate\b|--lr\b|\.fit\(|trainer\.train\(",
        text=r"\btrain (?:the|a|your|our) (?:own )?(?:models?|networks?|agents?)\b|"
        rf"(?<!% )(?<!used )\b(?:to|you can|for) (?:(?:start|begin|run|perform|do) )?(?:the )?"
        rf"(?:pre-?|re-?)?train(?:ing)?\b{ON}{HOW}|"
        r"(?<!\bwe )\b(?:run|start|launch|begin|execute) (?:the |a |model )?(?:pre-?|re-?)?training\b|"
        rf"(?<![\w-])(?:run_|main_|do_)?(?:(?:pre)?train(?!ed)|fine[_-]?tun)\w{{0,30}}{SCRIPT_END}|"
        rf"{SCRIPT_END}\W{{1,6}}(?:\w{{1,20}} ){{0,4}}(?:trains|fits|fine-?tunes|"
        rf"train(?:ing)?(?: and \w{{1,20}})? (?:the|a|of|our)\b)|"
        r"\bnotebooks?\b[^\n]{0,40}\b(?:performs?|runs?|does|for|contains?|to) (?:\w{1,20} ){0,3}(?:train(?:ing)?|"
        r"fine-?tuning|(?:hyper-?)?parameter (?:tuning|search|optimi[sz]ation))\b|"
        r"\b(?:reproduc|replicat|re-?run|run|conduct)\w{0,5} (?:\w{1,20} ){0,4}experiments?\b[^\n]{0,100}"
        rf"(?:{SCRIPT_END}|(?<=run )(?:\w{{1,20}} ){{0,2}}(?:notebooks?|scripts?)\b)",
        never=r"(?:training|train) (?:data|datasets?|sets?|logs?|time|curves?|results?|tricks|images|details)|"
        r"pre ?train(?:ing)? (?:models?|weights?)|pre ?trained|no training",
    ),
    Kind.EVALUATE: Words(
        hints=("eval", "test", "valid", "infer", "predict", "generate", "sampl", "synthesi", "benchmark"),
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
        code=RUN + r"(?:eval(?:uat\w*)?(?:[\s=_./-](?!\w*(?:interval|freq|episodes|steps|every|batch))|$)|"
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
        r"conlleval|\bevaluate\(|\w_score\(",
        text=r"(?<!% )(?<!used )\b(?:to|you can|for) (?:(?:pre-?)?train(?:ing)?(?: ?[/,&] ?| and | or )(?:then )?)?"
        r"(?:evaluat(?:e|ion|ing)|test(?:ing)?|validat(?:e|ion|ing))\b"
        r"(?! (?:if|that|whether|(?:the|your|this) (?:\w{1,20} )?(?:install\w*|set ?up|environment|code)))"
        rf"{ON}{HOW}|"
        r"\b(?:to|for) (?:(?:do|run|perform|make|get|obtain|start) )?(?:the )?"
        r"(?:infer(?:ence)?|predict(?:ions?|ing)?)\b[^\n]{0,100}\b(?:run|execute|python|call|launch)\b|"
        r"(?<!\bwe )\b(?:run|perform|do) (?:the )?(?:model )?inference (?:on|with|using|for|by)\b|"
        rf"\bto (?:generate|sample|synthesi[sz]e) (?!(?:\w{{1,20}} ){{0,3}}(?:train\w*|synthetic|data\w*)\b)"
        rf"[^\n]{{0,60}}\b{SAMPLES}\b[^\n]{{0,80}}(?::|\b(?:run|execute|command)\b)|"
        rf"(?<!\bwe )\b(?:evaluate|test|validate|benchmark) (?:the |a |an |your |our |any )?{LEARNT} "
        rf"(?:\w{{1,20}} ){{0,2}}{MODELS}\b|"
        rf"(?<![\w-])(?:run_|main_|do_)?(?:test|eval\w{{0,10}}|validate|infer(?:ence)?)\w{{0,30}}{SCRIPT_END}|"
        rf"(?<![\w-])predict(?:_\w{{1,30}})?{SCRIPT_END}",
        never=r"unit tests?|test runs?|(?:test|testing) (?:the |your )?(?:install\w*|set ?up|environment)|"
        r"test(?:ing)? (?:data|datasets?|sets?|results?|images|suite|coverage|environment)|tested|"
        r"evaluat\w+ (?:results?)|(?:run|running) (?:the )?tests?|"
        r"(?:variational|bayesian|causal|statistical|amorti[sz]ed|posterior|language|active|exact|approximate|type|"
        r"likelihood|free|based) inference",
    ),
    Kind.RESULTS: Words(
        firm=r"results?|performances?|leaderboards?|model ?zoo|scores|benchmark results|reproduced results?",
        weak=r"accurac(?:y|ies)|perform|benchmarks?|experiments?|comparisons?|compare\w*|evaluat\w+|pre ?trained|"
        r"models?|"
        r"checkpoints|figures?|examples?|"
        r"samples?|demo|outputs?|plots?|visuali\w+|reproduc\w+|metrics?|test\w*|train\w*|analysis|gallery|curves?|"
        r"qualitative|"
        r"quantitative|baselines?|introduction|abstract|summary|overview|highlights?|news",
        spelt=("results", "performance", "leaderboard"),
        foreign=r"结果|結果|效果|性能|결과|성능|ergebnisse|résultats|resultados|результаты",
        code="(?!)",
        text=r"\b(?:valid(?:ation)?|test|dev)\b:? (?:set )?\d{1,3}\.\d+|"
        rf"\b{METRIC}\b[^\n]{{0,40}}?\b\d{{1,3}}(?:\.\d+|(?:\.\d+)?\s?%)|"
        rf"\b\d{{1,3}}(?:\.\d+)?\s?%[^\n]{{0,25}}\b{METRIC}\b|"
        rf"\b(?:achiev\w+|obtain\w*|reach\w*|gets?|got)\b[^\n]{{0,60}}\b\d{{1,3}}(?:\.\d+)?\s?%|"
        r"\brank(?:ed|s|ing)?\b[^\n]{0,30}?(?:\b\d{1,5} ?(?:/|of|out of) ?(?:the )?\d|\btop[- ]?\d|"
        r"\b\d{1,4}(?:st|nd|rd|th)\b)|"
        r"\b(?:(?:public|private) )?(?:lb|leader ?board)\b[^\n]{0,25}?\b[01]?\.\d{2,6}\b|"
        r"\b(?:public|private|lb|leader ?board) score\b[^\n]{0,20}?\d\.\d",
        never=r"(?:reproduc\w+|reproduction of|replicat\w+|regenerat\w+|visuali\w+|visuali[sz]ation of|generat\w+|"
        r"plot\w*|view\w*|"
        r"pars\w+|analy[sz]\w+|sav\w+|submit\w*|monitor\w*|track\w*|export\w*|understand\w*|retriev\w*|aggregat\w*|"
        r"collect\w*|inspect\w*|interpret\w*|download\w*|stor\w+|load\w*|writ\w+) (?:\w{1,20} ){0,3}results?|"
        r"results? (?:export\w*|folders?|director(?:y|ies)|files?|formats?|storage|saving|logging|structure|"
        r"aggregation)",
    ),
    Kind.HARDWARE: Words(
        hints=(
            "gpu", "tpu", "cuda", "tx", "geforce", "titan", "quadro", "tesla", "radeon", "dgx", "xeon", "ryzen", "i5-",
            "i7-", "i9-", "nvidia", "00", "80", "60", "70", "90", "40", "gb", "gib", "hour", "hrs", "day", "min",
            "graphics", "core", "cpu", "laptop", "cluster", "macbook", "workstation", "card", "machine", "server",
            "memory",
        ),
        firm=r"hardware|computing resources?|compute|computational (?:resources?|requirements?|cost)|"
        r"system requirements?|"
        r"memory (?:usage|requirements?|consumption)|training time|run ?times?",
        weak=r"gpus?|tpus?|requirements?|system|speed|time",
        spelt=("hardware",),
        foreign=r"硬件|硬體|显存|ハードウェア|하드웨어|оборудование",
        code=rf"{ROOM}|\bgpu ?(?:[>:]=?|==) ?\d",
        text=r"\b(?:[gr]tx|geforce|titan (?:x|v|rtx)\w*|quadro|tesla|radeon|dgx|tpu[ -]?v\d|xeon|ryzen|i[579]-\d{4})|"
        r"\b(?:[vaptkmh]\d{2,3}|[1-4]0[6-9]0(?: ?ti)?)\b(?=[^\n]{0,40}\b(?:gpus?|gb|cards?|machines?|server|memory))|"
        r"\bnvidia [vaptkmh]\d{1,3}\b|"
        r"\b\d{1,4}x? ?(?:\w{1,20} ){0,2}gpus?\b|"
        rf"{ROOM}|"
        r"\bgpu[- ](?:hours?|days?)\b|"
        r"\b(?:train|run|ran|test|conduct|tak)\w*\b[^\n]{0,40}\bon (?:a single|one|two|four|"
        r"eight) (?:\w{1,20} ){0,2}gpus?\b|"
        r"\b\d{1,4}(?:\.\d{1,3})? ?(?:hours?|days?|mins?|minutes) (?:on|with|using) (?:a|an|one|\d{1,4}|the)\b|"
        rf"\bgpus?\s?[:\uff1a=]\s?[\w ]{{0,20}}\d{{3}}|\b[1-5]0[6-9]0 ?ti\b|"
        rf"\b\d{{1,3}} ?[x*\xd7]? ?(?:nvidia )?{CARD}s?\b|"
        rf"\b(?:on|with|using) (?:an?|one|two|four|eight|single)(?: single| nvidia| tesla){{0,2}} {CARD}s?\b|"
        r"\b(?:runs?|ran|trained|works?|tested|run) (?:\w{1,20} ){0,3}on (?:an? |the |any |one |our |my )?"
        r"(?:\w{1,20} ){0,2}(?:cpus?|laptop|cluster|macbook|workstation)\b|\b\d{1,4}[- ](?:cpu )?cores?\b|"
        r"\bcuda[- ](?:compatible|capable|enabled|supported) (?:\w{1,20} ){0,2}(?:gpus?|devices?|cards?|hardware)\b|"
        r"^[\s*+-]{0,8}(?:an? )?(?:nvidia |cuda |single |powerful |good )?(?:gpus?|graphics card)(?: |$)"
        r"(?![^\n]{0,40}\b(?:id|ids|index|number|version)\b)|"
        r"\b(?:gpus?|cuda|tpus?)\b(?: \w{1,20}){0,2} (?:is |are )?(?:\w{1,12}ly )?(?:required|recommended|"
        r"needed|necessary|mandatory)\b|"
        r"\b(?:requires?|needs?|recommend(?:ed)?|access to|works? on|equipped with)\b (?:\w{1,20} ){0,3}"
        r"(?:gpus?|tpus?|graphics card)\b(?! (?:version|support|memory is|to be set))|"
        rf"\b(?:takes?|took|taking|lasts?|finish\w*|trains?|runs?) (?:\w{{1,20}} ){{0,5}}[~≈<]? ?{SPAN}|"
        rf"\b(?:training|run(?:ning)?|inference|computation) ?time[^\n]{{0,40}}[\s~≈<]{SPAN}",
        never=r"(?:multi|multiple) ?gpus?(?: \w+)?",
    ),
    Kind.CITATION: Words(
        firm=r"cit(?:e|ing|ations?)|bib ?tex|bibliography|how to cite",
        weak=r"references?|papers?|publications?|acknowledge\w*|licen[cs]e|credits?|contact|about|introduction",
        spelt=("citation", "citations", "bibtex"),
        foreign=r"引用|인용|zitieren|citar|цитирование",
        code=r"@\w{3,20}\s*\{\s*[^\s,]{2,}\s*,",
        text=r"@(?:article|inproceedings|misc|conference|book|techreport|phdthesis|incollection|software)\s*\{|"
        r"\bplease\b[^\n]{0,60}\bcit(?:e|ing)\b|"
        r"\bcit(?:e|ing) (?:our|this|the|it|us|as)\b|\bif you (?:use|find)\b[^\n]{0,200}\bcit(?:e|ing)\b|"
        r"\bhow to cite\b",
        never=r"citation (?:networks?|graphs?|data\w*|prediction)",
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
        r"^\s*(?:import|from)\s+\w|library\(",
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

NO_MISSPELLING = frozenset(
    {
        "evolution", "valuation", "elevation", "revolution", "raining", "trailing", "straining", "draining", "texting",
        "resting", "nesting", "listing", "tasting", "situation", "mitigation", "consults", "instal", "installment",
        "activation", "motivation", "variation", "initiation", "examined", "sampled", "samples", "datasheet",
        "imitation", "dictation", "notation", "mutation", "rotation", "limitation", "limitations", "visitation",
        "validating",
    }
)  # fmt: skip
"""English words that are near to one in the table and mean something else."""
