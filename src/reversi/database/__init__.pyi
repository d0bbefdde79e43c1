"""The public names; the package loads them when they are first used."""

from .answers import QueryError as QueryError, SqlQuery as SqlQuery
from .database import Database as Database
from .editing import Removed as Removed, Renamed as Renamed
from .exploring import Exploration as Exploration, MoveTally as MoveTally
from .file import (
    DatabaseError as DatabaseError,
    DatabaseInfo as DatabaseInfo,
    DatabaseMemoryError as DatabaseMemoryError,
    DatabaseMissingError as DatabaseMissingError,
)
from .importing import Import as Import, Imported as Imported, KnownGame as KnownGame
from .rows import IllegalGame as IllegalGame
from .searching import DatabaseGame as DatabaseGame, GameQuery as GameQuery
