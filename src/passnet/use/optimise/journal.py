"""The rows of the forms of one model on disk, so that a stopped command goes on with what it knows."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from passnet.use.bundle import FormRow
from passnet.use.form import Form
from passnet.writing import append_line, end_broken_line, lines_of, unwritable

_FORMS = "forms.jsonl"


class JournalRow(BaseModel):
    """A form and its row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Form
    row: FormRow


@dataclass
class FormJournal:
    """`rows`: the last row of each form."""

    path: Path
    rows: dict[Form, FormRow] = field(default_factory=dict)

    @classmethod
    def open(cls, directory: Path) -> FormJournal:
        """Read what is there. Lines that are no rows are skipped: their forms are tried again."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(error, directory, "choose another with --out") from None
        journal = cls(directory / _FORMS)
        end_broken_line(journal.path)
        for _, line, _ in lines_of(journal.path):
            try:
                known = JournalRow.model_validate_json(line)
            except ValidationError:
                continue
            journal.rows[known.form] = known.row
        return journal

    def append(self, form: Form, row: FormRow) -> None:
        """Write a row durably."""
        self.rows[form] = row
        append_line(self.path, JournalRow(form=form, row=row).model_dump_json())


def key_of(settings: object) -> str:
    """A name for a directory: other settings have another one, so no directory is ever in the way."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
