"""How people and programs call who played, when and where: above moves, and above the columns of a table."""

from __future__ import annotations

from typing import Final

TAG_WORDS: Final = {
    "black": "black blackplayer blackname playerblack blackplayername player1 playerone firstplayer schwarz noir"
    " noirs joueurnoir negras nero zwart svart 黒 黒番 先手 黑 黑方 흑 dark first",
    "white": "white whiteplayer whitename playerwhite whiteplayername player2 playertwo secondplayer weiß weiss"
    " blanc blancs joueurblanc blancas bianco wit vit 白 白番 後手 白方 백 light second",
    "date": "date gamedate day datum played playedat playedon datetime timestamp starttime startedat"
    " createdat fecha 日付 日期 날짜",
    "event": "event tournament tourney competition turnier tournoi eventname tournamentname torneo 大会 比赛",
    "site": "site place location server venue ort lieu",
    "round": "round rd runde ronde roundnumber",
}
"""Words for tags in lower case, without what separates words, the most certain first."""
