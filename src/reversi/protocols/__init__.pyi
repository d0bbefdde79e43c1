"""The public names; the package loads them when they are first used."""

from .aio import AsyncEngine as AsyncEngine
from .client import ExternalEngine as ExternalEngine, Info as Info, Noise as Noise
from .gtp import GTP_COMMANDS as GTP_COMMANDS, GtpServer as GtpServer
from .gtp_client import GtpEngine as GtpEngine
from .gtp_text import (
    GtpCommand as GtpCommand,
    format_vertex as format_vertex,
    parse_color as parse_color,
    parse_command as parse_command,
    parse_vertex as parse_vertex,
)
from .nboard import NBoardServer as NBoardServer
from .nboard_client import NBoardEngine as NBoardEngine
from .programs import check_program as check_program, open_engine as open_engine, open_program as open_program
from .serving import GRACE as GRACE, MAX_LINE as MAX_LINE, Search as Search, Server as Server, serve as serve
from .thinking import (
    DEFAULT_PROTOCOL_LEVEL as DEFAULT_PROTOCOL_LEVEL,
    Settings as Settings,
    Thinker as Thinker,
    Thinking as Thinking,
)
from .xboard import XBoardServer as XBoardServer
