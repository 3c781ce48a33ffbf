"""How long it takes to find similar skills among many; as a program it prints the figures."""

import sys

from host.app.bench.figures import this_machine
from host.app.bench.skillbook import detection_figures
from host.app.skillbook import embedding_measure
from host.launch import embeddings_missing
from host.skillbook import Lexical

if __name__ == "__main__":
    machine = this_machine()
    measures = [Lexical(), *([] if embeddings_missing() else [embedding_measure()])]
    sys.stdout.write("python -m tests.helpers.skillbook_detection\n")
    sys.stdout.write(f"{machine.processor}, {machine.cores} cores, {machine.system}\n")
    sys.stdout.write(f"gg {machine.versions['gg']}, Python {machine.versions['Python']}\n\n")
    for figure in detection_figures(lambda what: None, measures=measures):
        goal = "" if figure.goal is None else f"  goal {figure.goal:.0f} {figure.unit}"
        value = f"{figure.value:7.2f} {figure.unit}{goal}"
        sys.stdout.write(f"{figure.name:34}{value:24}{figure.how}\n")
