"""Consolidation: similar skills are found, somebody decides about them, and that is carried out."""

from host.skillbook.consolidation.clusters import MAX_SKILLS, Cluster, Clusters, clusters_of
from host.skillbook.consolidation.consolidating import Ceilings, consolidate
from host.skillbook.consolidation.deciding import (
    Answer,
    Answered,
    Decider,
    ScriptedDecider,
    Stopped,
    Unanswered,
    decisions_from_json,
)
from host.skillbook.consolidation.difference import difference
from host.skillbook.consolidation.questions import Question, faults_of, unsettled
from host.skillbook.consolidation.report import Open, Outcome, Report, Settled
from host.skillbook.consolidation.surveying import Search, Survey, survey

__all__ = [
    "MAX_SKILLS",
    "Answer",
    "Answered",
    "Ceilings",
    "Cluster",
    "Clusters",
    "Decider",
    "Open",
    "Outcome",
    "Question",
    "Report",
    "ScriptedDecider",
    "Search",
    "Settled",
    "Stopped",
    "Survey",
    "Unanswered",
    "clusters_of",
    "consolidate",
    "decisions_from_json",
    "difference",
    "faults_of",
    "survey",
    "unsettled",
]
