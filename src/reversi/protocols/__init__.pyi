"""The public names; the package loads them when they are first used."""

from .aio import AsyncEngine as AsyncEngine
from .client import ExternalEngine as ExternalEngine, Info as Info
from .gtp import GtpServer as GtpServer
from .json_service import JsonService as JsonService
from .nboard import NBoardServer as NBoardServer
from .programs import open_engine as open_engine
from .serving import serve as serve
from .thinking import EngineSettings as EngineSettings, Thinker as Thinker
from .xboard import XBoardServer as XBoardServer
