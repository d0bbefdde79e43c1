"""`reversi db players`: the names in a database: list them, rename one, merge names of one person."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from reversi.arguments import excerpt
from reversi.cli.console import command, err, fail, out, out_json, refused
from reversi.cli.database import ChangeOptions, DatabaseOptions, JsonOption
from reversi.cli.option_groups import Flag, excludes
from reversi.cli.options import argument
from reversi.cli.selection import LimitOption, first_ones, most_rows
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games import Database
from reversi.games.database.editing import Renamed
from reversi.games.names import has_words
from reversi.games.similar_names import similar_names
from reversi.text.counting import counted, years_between

_PLAYERS = """
select p.name, count(*), min(g.year), max(g.year) from players p
join (select black as player, year from games union all select white, year from games) g on g.player = p.id
group by p.id, p.name order by count(*) desc, p.name
"""
# pairs of names that games with the same moves and year have for one side
_TWINS = """
with seats as (
    select distinct play_high, play_low, black as player, 'black' as side from games where black is not null
    union all select distinct play_high, play_low, white, 'white' from games where white is not null
)
select least(a.name, b.name), greatest(a.name, b.name), count(*)
from seats s join seats t using (play_high, play_low, side)
join players a on a.id = s.player join players b on b.id = t.player
where s.player < t.player
group by 1, 2 order by count(*) desc, 1, 2
"""


@command(*excludes("--similar", "--twins"))
def list_(
    words: Annotated[str, argument("NAME", "List names with these words, or with their beginnings.")] = "",
    *,
    db: DatabaseOptions,
    twins: Annotated[bool, Flag("List pairs of names in games with the same moves and year.")] = False,
    similar: Annotated[bool, Flag("List pairs of names with a similar spelling, most games first.")] = False,
    limit: LimitOption = None,
    json: JsonOption = False,
) -> None:
    """List the players with their games and years, most games first.

    Pairs of names are candidates: 'reversi db players merge' makes two names one, after a look.

    Example: reversi db players list tastet

    Example: reversi db players list --twins --limit 0

    Example: reversi db players list --similar
    """
    pairs = similar or twins
    with db.opened() as database:
        found: list[tuple[Any, ...]] = list(database.rows(_TWINS if twins else _PLAYERS))
    games = {name: count for name, count, *_ in found}
    if similar:
        found = sorted(similar_names(games), key=lambda pair: -games[pair[0]] - games[pair[1]])
    rows = [row for row in found if any(has_words(name, words) for name in row[: 2 if pairs else 1])]
    shown = rows[: most_rows(limit, whole=json)]
    for name, second, *rest in shown:
        fields: dict[str, object] = {"name": name}
        if similar:
            counts = {"games": games[name], "other_games": games[second]}
            fields |= {"other": second, **counts, "likeness": rest[0].name.lower()}
            line = f"{games[name]:7} {games[second]:7}  {name}  –  {second}  ({rest[0].value})"
        elif twins:
            fields |= {"other": second, "games": rest[0]}
            line = f"{rest[0]:7}  {name}  –  {second}"
        else:
            fields |= {"games": second, "first": rest[0], "last": rest[1]}
            line = f"{second:7}  {years_between(*rest):9}  {name}"
        if json:
            out_json(fields)
        else:
            out(line)
    err(f"reversi: {counted(len(rows), 'pair' if pairs else 'player')}{first_ones(len(shown), len(rows))}")


@command
def rename(
    player: Annotated[str, argument("NAME", "The player's name, or words of it.")],
    new: Annotated[str, argument("NEW", "The new name.")],
    options: ChangeOptions,
) -> None:
    """Give a player a new name, in all games and their records.

    Example: reversi db players rename "Tastet" "Tastet, Marc"
    """
    with options.opened(change=True) as database:
        old = _only(database, player)
        try:
            renamed = database.rename_player(old, new, dry_run=options.dry_run)
        except InputError as error:
            hint = "'reversi db players merge' joins two names" if "exists" in str(error) else "give another name"
            fail(Status.USAGE, f"{error}; {hint}")
    _report(renamed, options)


@command
def merge(
    player: Annotated[str, argument("NAME", "The name that stays, or words of it.")],
    others: Annotated[list[str], argument("OTHER", "The names to replace, or words of them.")],
    options: ChangeOptions,
) -> None:
    """Merge the names of one person: the games of the others get the name of the first.

    Games of different files that then have the same moves, year and players become one.

    Example: reversi db players list --twins

    Example: reversi db players merge "Oh Joung-Mok" "J. M. Oh" --dry-run
    """
    with options.opened(change=True) as database:
        name = _only(database, player)
        names = list(dict.fromkeys(_only(database, other) for other in others))
        with refused():
            renamed = database.merge_players(name, names, dry_run=options.dry_run)
    _report(renamed, options)


def _only(database: Database, words: str) -> str:
    """Return the one name that is meant; ends the command where there is another number of them."""
    names: list[str] = sorted(name for (name,) in database.rows("select name from players"))
    if words in names:
        return words
    matching = [name for name in names if words.strip() and has_words(name, words)]
    if not matching:
        fail(Status.USAGE, f"player {excerpt(words)} does not exist; 'reversi db players list' lists them")
    if len(matching) > 1:
        first = "; ".join(matching[:5]) + ("; …" if len(matching) > 5 else "")
        fail(Status.USAGE, f"{excerpt(words)} fits {len(matching)} players; give the whole name: {first}")
    return matching[0]


def _report(renamed: Renamed, options: ChangeOptions) -> None:
    options.report(
        asdict(renamed),
        f"{', '.join(renamed.names)}: {counted(renamed.games, 'game')} {options.would}renamed to {renamed.name}",
        options.repeated(renamed.repeated),
    )
