"""The public names; the package loads them when they are first used."""

from .header import (
    GAME_BYTES as GAME_BYTES,
    HEADER_BYTES as HEADER_BYTES,
    NAME_BYTES as NAME_BYTES,
    WthorHeader as WthorHeader,
    WthorKind as WthorKind,
    wthor_kind as wthor_kind,
)
from .names import (
    UNKNOWN_PLAYER as UNKNOWN_PLAYER,
    UNKNOWN_TOURNAMENT as UNKNOWN_TOURNAMENT,
    WthorNames as WthorNames,
    find_wthor_names as find_wthor_names,
    load_wthor_names as load_wthor_names,
    parse_wthor_names as parse_wthor_names,
    read_wthor_names as read_wthor_names,
    stored_name as stored_name,
)
from .reader import (
    WthorGames as WthorGames,
    player_names as player_names,
    read_wthor as read_wthor,
    read_wthor_file as read_wthor_file,
)
from .writer import (
    WthorFiles as WthorFiles,
    WthorWriter as WthorWriter,
    loses_days as loses_days,
    loses_header as loses_header,
    loses_names as loses_names,
    loses_result as loses_result,
    pack_wthor as pack_wthor,
    wthor_keeps_tag as wthor_keeps_tag,
)
