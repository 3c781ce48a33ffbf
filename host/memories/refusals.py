"""Why a memory call is refused: the rule, and the class a program branches on."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from host.core.errors import ApiErrorCode, Refusal


class Kind(StrEnum):
    """The rule that refused."""

    READ_ONLY = "read_only"
    LONE_SURROGATE = "lone_surrogate"
    EMPTY_FIELD = "empty_field"
    INVALID_NAME = "invalid_name"
    DESCRIPTION_LINE = "description_line"
    DUPLICATE = "duplicate"
    NOT_FOUND = "not_found"
    STALE_REVISION = "stale_revision"
    EDIT_SAME = "edit_same"
    EDIT_NO_MATCH = "edit_no_match"
    EDIT_SEVERAL = "edit_several"
    WOULD_EMPTY = "would_empty"
    NO_KEYWORDS = "no_keywords"
    KEYWORDS_CAP = "keywords_cap"
    DESCRIPTION_CAP = "description_cap"
    CODE_CAP = "code_cap"
    BODY_CAP = "body_cap"
    COUNT_CAP = "count_cap"
    TOTAL_CAP = "total_cap"
    INDEX_CAP = "index_cap"


CODES: Final[Mapping[Kind, ApiErrorCode]] = {
    Kind.READ_ONLY: "refused",
    Kind.LONE_SURROGATE: "invalid-argument",
    Kind.EMPTY_FIELD: "invalid-argument",
    Kind.INVALID_NAME: "invalid-argument",
    Kind.DESCRIPTION_LINE: "invalid-argument",
    Kind.DUPLICATE: "conflict",
    Kind.NOT_FOUND: "not-found",
    Kind.STALE_REVISION: "conflict",
    Kind.EDIT_SAME: "invalid-argument",
    Kind.EDIT_NO_MATCH: "not-found",
    Kind.EDIT_SEVERAL: "conflict",
    Kind.WOULD_EMPTY: "invalid-argument",
    Kind.NO_KEYWORDS: "invalid-argument",
    Kind.KEYWORDS_CAP: "limit-exceeded",
    Kind.DESCRIPTION_CAP: "limit-exceeded",
    Kind.CODE_CAP: "limit-exceeded",
    Kind.BODY_CAP: "limit-exceeded",
    Kind.COUNT_CAP: "limit-exceeded",
    Kind.TOTAL_CAP: "limit-exceeded",
    Kind.INDEX_CAP: "limit-exceeded",
}


class MemoryRefusal(Refusal):
    """A memory call that is denied; the store is as it was.

    `name` is the memory's, cut and escaped where it could never be one. `figure` and `limit` are what was
    attempted and what is allowed, where the rule has them.
    """

    def __init__(
        self, kind: Kind, message: str, *, name: str, figure: int | None = None, limit: int | None = None
    ) -> None:
        super().__init__(CODES[kind], message, kind=kind)
        self.name: Final = name
        self.figure: Final = figure
        self.limit: Final = limit
