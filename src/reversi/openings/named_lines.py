"""The names of openings: what players call the well-known lines, with the moves that lead to them.

Names with moves are facts; the choice, the order and the spelling are this project's. First the name that is used
most in English, where there is one, then others: spellings, translations, Japanese names in Latin letters. The
moves begin with f5, as in the archives; a line that is played mirrored or in another order has the same name.
"""

from __future__ import annotations

from typing import Final

_TIGER: Final = "f5d6c3d3c4"
_STEPHENSON: Final = _TIGER + "f4f6"
_ROSE_BILL: Final = _TIGER + "f4c5b3c2"
_RABBIT: Final = "f5d6c5f4"
_ROSE: Final = _RABBIT + "e3c6d3f6e6d7"
_CAT: Final = "f5d6c4d3c5"
_COW: Final = "f5f6e6f4e3"
_ROSE_V_TOTH: Final = _COW + "c5c4"
_HEATH: Final = "f5f6e6f4g5"
_SNAKE: Final = "f5f6e6f4g6"
_BUFFALO: Final = "f5f6e6f4c3"

NAMES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    # White's first move
    ("f5d6", ("Perpendicular", "Tatedori")),
    ("f5f6", ("Diagonal", "Nanamedori")),
    ("f5f4", ("Parallel", "Narabidori")),
    # perpendicular, 3. c3
    (_TIGER, ("Tiger", "Tora")),
    (_TIGER + "b3", ("Aubrey", "Tanaka")),
    (_TIGER + "b5", ("Berg Tiger",)),
    (_TIGER + "f4e3", ("Brightwell",)),
    (_TIGER + "f4e6", ("Leader's Tiger",)),
    (_STEPHENSON, ("Stephenson",)),
    (_STEPHENSON + "b4", ("Kung",)),
    (_STEPHENSON + "g5", ("No-Kung", "Noukan")),
    (_STEPHENSON + "f3", ("Comp'Oth", "Compos")),
    (_STEPHENSON + "f3e3", ("Lightning Bolt", "Pikachu")),
    (_STEPHENSON + "f3e6e7c6", ("Logistello",)),
    (_STEPHENSON + "f3e6e7f7", ("Tama Plaza",)),
    (_STEPHENSON + "f3e6e7d7g6f8f7g5h6h4g4h3h5h7", ("F.A.T. Draw",)),
    (_TIGER + "f4c5b4b3", ("Banana",)),
    (_TIGER + "f4c5b4b5c6f3e6e3", ("Ishii",)),
    (_TIGER + "f4c5b4b5c6f3e6e3g6f6g5d7g3", ("Mainline Tiger",)),
    (_TIGER + "f4c5b5", ("Mako Tiger", "Makotora")),
    (_ROSE_BILL, ("Rose-Bill", "Hanagata")),
    (_ROSE_BILL + "b4", ("Central Rose-Bill", "Dead Draw")),
    (_ROSE_BILL + "e6", ("Tamenori",)),
    (_ROSE_BILL + "e6c6", ("Goldfish", "Kingyo")),
    (_ROSE_BILL + "e3d2c6b4", ("Rooster", "Tori")),
    ("f5d6c3d3c5", ("Crayfish", "Zarigani")),
    ("f5d6c3d3c6", ("Shrimp", "Ebi")),
    ("f5d6c3f4f6", ("Dragon", "Ryu")),
    ("f5d6c3g5", ("Bent Ganglion",)),
    ("f5d6c3g5c6c5c4", ("Missile",)),
    # perpendicular, 3. c5
    ("f5d6c5", ("Rabbit", "Usagi")),
    (_RABBIT + "d3", ("Horse", "Uma")),
    (_RABBIT + "d7", ("Crane", "Tsuru")),
    (_RABBIT + "e3d3", ("Mimura Rabbit",)),
    (_RABBIT + "e3c6d7", ("Bhagat",)),
    (_RABBIT + "e3c6e6", ("Inoue",)),
    (_RABBIT + "e3c6e6f6", ("Iago", "Snow Rabbit", "Yuki-Usagi")),
    (_RABBIT + "e3c6f3", ("Shaman", "Danish")),
    (_RABBIT + "e3c6d3e2", ("Tama Rabbit", "Tama-Usagi")),
    (_RABBIT + "e3c6d3f3", ("Ralle",)),
    (_RABBIT + "e3c6d3g5", ("Side Rabbit", "Yoko-Usagi")),
    (_ROSE, ("Rose",)),
    (_ROSE + "e7", ("Greenberg", "Dawg")),
    (_ROSE + "e7c7c4f3d8", ("Tezuka System",)),
    (_ROSE + "g3", ("Sharp Rose",)),
    (_ROSE + "g3c4", ("Rose-Birth",)),
    (_ROSE + "g3c4b4", ("Rose-Birdie", "Rose-Tamenori")),
    (_ROSE + "g3c4b4c3", ("Rose-Tamenori-Kling",)),
    (_ROSE + "g3c4g5c3b4e2", ("Brightstein",)),
    (_ROSE + "g4", ("Flat Rose", "Flat")),
    (_ROSE + "g4c4", ("Rotating Flat",)),
    (_ROSE + "g4c4g6", ("Murakami",)),
    ("f5d6c6", ("Wild Rabbit", "No-Usagi")),
    # perpendicular, 3. c4
    (_CAT, ("Cat", "Neko")),
    (_CAT + "f4e3f3c2b4b3", ("Berner",)),
    (_CAT + "f4e3f3c2c6", ("Sakaguchi",)),
    ("f5d6c4d3e6", ("Italian",)),
    ("f5d6c4d3e6f4e3f3", ("Sheep", "Hitsuji")),
    ("f5d6c4g5", ("Ganglion", "No-Cat")),
    ("f5d6c4g5c6", ("Swallow", "Tsubame")),
    ("f5d6c4g5f6", ("Sea Otter", "Rakko")),
    # diagonal
    (_COW, ("Cow", "Ushi")),
    (_COW + "d6", ("Chimney",)),
    (_COW + "c5c6", ("Tank", "Sensha")),
    (_COW + "c5g5", ("Bat", "Cow Bat", "Cambridge", "Koumori")),
    (_COW + "c5g5g3g4f3c4", ("Melnikov",)),
    (_ROSE_V_TOTH, ("Rose-v-Toth",)),
    (_ROSE_V_TOTH + "d3c3", ("Landau",)),
    (_ROSE_V_TOTH + "d3f3e2", ("Maruoka",)),
    (_ROSE_V_TOTH + "d7c6", ("Sunken Ship", "Chinbotsusen")),
    (_ROSE_V_TOTH + "e7", ("Tanida",)),
    (_ROSE_V_TOTH + "e7b5e2", ("Sailboat", "Yacht")),
    (_ROSE_V_TOTH + "e7c6e2f3f2", ("Fast Ship", "Kaisokusen")),
    (_ROSE_V_TOTH + "e7g4", ("Aircraft", "Feldborg", "Hikouki")),
    (_HEATH, ("Heath", "Tobidashi", "Jumping Out")),
    (_HEATH + "d6", ("Heath-Chimney", "Mass-Turning")),
    (_HEATH + "d6e7g6", ("Apple", "Ringo")),
    (_HEATH + "e7d7", ("Iwasaki",)),
    (_HEATH + "e7e3", ("Heath-Bat", "Ura-Koumori")),
    (_HEATH + "e7f7c5e3f3c4d3c2", ("Mimura",)),
    (_HEATH + "e7f7d6", ("Wild Strawberry", "No-Ichigo")),
    (_HEATH + "e7f7h5", ("Reverse Fast Ship", "Ura-Kaisokusen")),
    (_SNAKE, ("Snake", "Peasant", "Hebi")),
    (_SNAKE + "c5f3", ("Sand Snake", "Sunahebi")),
    (_SNAKE + "c5g4g5f3e3", ("Basilisk",)),
    (_SNAKE + "c5g4g5f3e3c4", ("Pyramid", "Checkerboarding Peasant")),
    (_SNAKE + "c5g4g5h4", ("Viper", "Mamushi")),
    (_SNAKE + "c6", ("Lysons", "Cobra")),
    (_SNAKE + "d6", ("Tsuchinoko",)),
    (_BUFFALO, ("Buffalo", "Kenichi")),
    (_BUFFALO + "c4", ("Hokuriku Buffalo",)),
    (_BUFFALO + "d6f3", ("Tanida Buffalo",)),
    (_BUFFALO + "d7", ("Maruoka Buffalo",)),
    (_BUFFALO + "e7", ("E7 Buffalo",)),
    ("f5f6e6f4d3", ("Reverse Snake", "Ura-Hebi")),
    ("f5f6e6f4f3", ("Reverse Raccoon Dog", "Ura-Tanuki")),
    ("f5f6e6f4g3", ("Rocket",)),
    ("f5f6e6f4g3d6", ("Lollipop",)),
    ("f5f6e6f4g3f3g4", ("Hamilton",)),
    ("f5f6e6f4g4", ("Raccoon Dog", "Tanuki")),
    ("f5f6e6f4g7", ("X-Square", "Runaway Cow", "Bousou-Ushi")),
    ("f5f6c4f4", ("Semi-Wing",)),
    ("f5f6d3f4", ("Wing",)),
    # parallel
    ("f5f4e3", ("Mouse", "Nezumi")),
    ("f5f4f3", ("Cart", "Niguruma")),
)
"""The moves and the names of each opening, by families."""
