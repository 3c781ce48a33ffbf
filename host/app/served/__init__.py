"""One agent that is there for as long as a server is: given programs and calls, one after another.

with Service(served_plan(None), Path(".gg/mcp")) as service:
    answer = await service.run_program('import { views } from "gg"; views.openText("a", "b");')
"""

from host.app.served.answers import Answer, Shown
from host.app.served.folder import FolderTaken
from host.app.served.planning import served_plan
from host.app.served.record_block import RecordBlock
from host.app.served.service import Service, ServiceFailed
from host.app.served.skill_permissions import SkillsRefused
from host.app.served.skill_requests import REQUESTS as SKILL_REQUESTS
from host.app.served.skill_sessions import SkillSessions

__all__ = [
    "SKILL_REQUESTS",
    "Answer",
    "FolderTaken",
    "RecordBlock",
    "Service",
    "ServiceFailed",
    "Shown",
    "SkillSessions",
    "SkillsRefused",
    "served_plan",
]
