"""Training that keeps its best state by validation rows, and tests that only others make, or other files."""

from assay.code import read_code
from assay.leakage.code.analysis import analyse_source
from assay.tree.opening import tree_of

IMPORTS = "import pandas as pd\nimport torch\nfrom torch import nn\nfrom sklearn.metrics import f1_score\n"
TEACH = (
    IMPORTS
    + """
def teach(net, train_batches, val_batches):
    steps, measure, smallest = torch.optim.Adam(net.parameters()), nn.CrossEntropyLoss(), 1e9
    for epoch in range(30):
        for rows, truth in train_batches:
            measure(net(rows), truth).backward()
            steps.step()
        lost = 0
        for rows, truth in val_batches:
            lost += measure(net(rows), truth).item()
        if lost < smallest:
            smallest = lost
            torch.save(net.state_dict(), "net.pt")
"""
)
JUDGE = """
def judge(net, {batches}):
    net.eval()
    said, truths = [], []
    for rows, truth in {batches}:
        said.extend(net(rows).argmax(1).tolist())
        truths.extend(truth.tolist())
    return f1_score(truths, said)
"""
USE = """
net = nn.Sequential(nn.Linear(10, 2))
table = pd.read_csv("rows.csv")
rows, truth = torch.tensor(table.drop(columns="ill").values), torch.tensor(table["ill"].values)
first, rest = torch.utils.data.random_split(torch.utils.data.TensorDataset(rows, truth), [800, 200])
teach(net, torch.utils.data.DataLoader(first), torch.utils.data.DataLoader(rest))
"""


def codes(text: str, other: str = "") -> set[str]:
    code = read_code(tree_of({"main.py": text, "other.py": other}))
    main = next(source for source in code.python if source.path == "main.py")
    return {leak.code for leak in analyse_source(code, main).leaks}


def test_whoever_calls_a_function_that_keeps_the_best_state_has_a_function_for_test_rows() -> None:
    assert codes(TEACH) == {"LX1"}
    assert codes(TEACH + JUDGE.format(batches="test_batches")) == set()


def test_test_rows_that_another_file_shows_to_the_network_are_scored_out_of_sight() -> None:
    reads = "def submit(net, folder):\n    test_rows = pd.read_csv(folder)\n"
    shows = IMPORTS + reads + '    torch.save(net(test_rows), "said.pt")\n'
    submit = "from other import submit\n" + TEACH + USE + 'submit(net, "others.csv")\n'
    assert codes(TEACH + USE) == {"LX1"}
    assert codes(submit, shows) == set()
