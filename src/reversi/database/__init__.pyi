"""The public names; the package loads them when they are first used."""

from .answers import Answer as Answer, QueryError as QueryError
from .database import Database as Database
from .editing import Removed as Removed, Renamed as Renamed
from .exploring import Exploration as Exploration, MoveTally as MoveTally
from .file import (
    DatabaseError as DatabaseError,
    DatabaseInfo as DatabaseInfo,
    DatabaseMissingError as DatabaseMissingError,
    DatabaseUnavailableError as DatabaseUnavailableError,
    DatabaseWriteError as DatabaseWriteError,
)
from .importing import Import as Import, Imported as Imported
from .layout import VERSION as VERSION
from .rows import Illegal as Illegal
from .searching import DatabaseGame as DatabaseGame, GameQuery as GameQuery
