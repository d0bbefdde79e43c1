"use strict";
// The page of a report. It knows no rules: every turn of the data lists the discs that change color.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const NAMES = { X: "Black", O: "White", "-": "empty" };
  const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
  const BEFORE = { name: "Before the move", play: "" }; // the position before turn `ply`, with all its moves to try
  let game; // the one that is shown
  let ply = 0; // how many of its turns are played
  let line = null; // the line that is played in place of turn `ply`, if any
  let step = 0; // how many turns of that line

  // --- elements

  const find = (id) => document.getElementById(id);

  /** Make an element. Texts become text nodes: no text of the data is ever read as HTML. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  /** Make a shape of the graph. */
  function shape(name, attributes, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }

  /** Make a button that does something. */
  function button(action, attributes, ...children) {
    const element = make("button", { type: "button", ...attributes }, ...children);
    element.addEventListener("click", action);
    return element;
  }

  /** Mark the one of some buttons that is current, and keep it in sight within its list. */
  function markCurrent(list, chosen, value, focusable) {
    for (const item of list.querySelectorAll("button")) {
      const current = item === chosen;
      if (current) item.setAttribute("aria-current", value);
      else item.removeAttribute("aria-current");
      if (focusable) item.tabIndex = current || (!chosen && item === list.querySelector("button")) ? 0 : -1;
    }
    if (!chosen) return;
    const box = list.getBoundingClientRect();
    const place = chosen.getBoundingClientRect();
    if (place.top < box.top) list.scrollTop += place.top - box.top;
    if (place.bottom > box.bottom) list.scrollTop += place.bottom - box.bottom;
  }

  function person(name, color) {
    return make("bdi", {}, name || NAMES[color]);
  }

  /** Count discs in words. */
  function discs(number) {
    return `${number} disc${number === 1 ? "" : "s"}`;
  }

  function signMark(sign) {
    return sign ? [make("span", { class: `sign ${KINDS[sign] || ""}` }, ` ${sign}`)] : [];
  }

  // --- lines of play

  const other = (color) => (color === "X" ? "O" : "X");
  const moverOf = (number) => (number % 2 ? game.to_move : other(game.to_move));
  const turnAt = (number) => game.turns[number - 1];
  const movesOf = (shown) => shown.play.split(" ").filter(Boolean);
  const firstOf = (shown) => read(movesOf(shown)[0]);

  /** Read a turn, `f5:e5d5`: the square, -1 for a pass, and the squares of the discs that change color. */
  function read(text) {
    const [move, changed] = text.split(":");
    return { move, square: squareOf(move), changed: (changed.match(/../g) || []).map(squareOf) };
  }

  function squareOf(name) {
    return name === "--" ? -1 : game.columns * (name[1] - 1) + "abcdefgh".indexOf(name[0]);
  }

  function nameOf(square) {
    return "abcdefgh"[square % game.columns] + (Math.floor(square / game.columns) + 1);
  }

  /** The turns that lead to the board that is shown. */
  function played() {
    const turns = game.turns.slice(0, line ? ply - 1 : ply).map((turn) => turn.play);
    return (line ? turns.concat(movesOf(line).slice(0, step)) : turns).map(read);
  }

  /** The cells of the board after turns. */
  function cellsAfter(turns) {
    const cells = [...game.board];
    let color = game.to_move;
    for (const turn of turns) {
      if (turn.square >= 0) cells[turn.square] = color;
      for (const square of turn.changed) cells[square] = other(cells[square]);
      color = other(color);
    }
    return cells;
  }

  // --- moving around

  function goTo(number) {
    const before = ply;
    ply = Math.max(0, Math.min(number, game.turns.length));
    line = null;
    show();
    remember(Math.abs(ply - before) > 1);
  }

  function goToLine(chosen, number) {
    line = number > 0 || chosen === BEFORE ? chosen : chosen.trial ? BEFORE : null;
    step = number;
    show();
  }

  /** To the choice that a turn had, or back to the game. */
  function toggleChoice() {
    if (ply && turnAt(ply).moves) line === BEFORE ? goTo(ply) : goToLine(BEFORE, 0);
  }

  // --- the address: `#37` is a ply, `#2.37` a ply of the second game

  function fragment() {
    return data.games.length > 1 ? `#${data.games.indexOf(game) + 1}.${ply}` : `#${ply}`;
  }

  /** Put the ply into the address; a jump can be gone back from. */
  function remember(jump) {
    if (location.hash === fragment()) return;
    try {
      if (jump) history.pushState(null, "", fragment());
      else history.replaceState(null, "", fragment());
    } catch {
      // a page within another one may have no address, and some browsers limit how often it changes
    }
  }

  /** Show what the address says; without a ply in it the beginning. */
  function showAddress() {
    const [, number, wanted] = location.hash.match(/^#(?:(\d{1,4})\.)?(\d{1,3})$/) || [];
    const chosen = data.games[(number || 1) - 1] || data.games[0];
    showGame(chosen, wanted === undefined ? undefined : Number(wanted));
  }

  /** One ply forward or back, in the line that is shown or in the game. */
  function move(by) {
    if (!line) goTo(ply + by);
    else if (line === BEFORE) goTo(by < 0 ? ply - 1 : ply);
    else if (step + by <= movesOf(line).length) goToLine(line, step + by);
  }

  /** To the next mistake, or the one before. */
  function goToMistake(by) {
    const plies = game.turns.flatMap((turn, at) => (turn.mistake ? [at + 1] : []));
    const ahead = by > 0 ? plies.find((number) => number > ply) : plies.findLast((number) => number < ply);
    if (ahead) goTo(ahead);
  }

  function playSquare(square) {
    if (!ply || (line && line !== BEFORE)) return;
    const found = (line ? turnAt(ply).moves : turnAt(ply).lines || []).find((it) => firstOf(it).square === square);
    if (found) goToLine(found, 1);
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const onGraph = event.target === find("graph");
    const actions = {
      ArrowLeft: () => (event.shiftKey ? goToMistake(-1) : move(-1)),
      ArrowRight: () => (event.shiftKey ? goToMistake(1) : move(1)),
      Home: () => goTo(0),
      End: () => goTo(game.turns.length),
      Escape: () => line && goTo(ply),
      b: toggleChoice,
      B: toggleChoice,
      ...(onGraph && {
        ArrowDown: () => move(-1),
        ArrowUp: () => move(1),
        PageDown: () => goTo(ply - 10),
        PageUp: () => goTo(ply + 10),
      }),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    const inMoves = find("moves").contains(document.activeElement);
    actions[event.key]();
    if (inMoves) find("moves").querySelector('[tabindex="0"]').focus();
  });

  // --- what does not change within a game

  /** Show a game at a ply; by default at the one at which it begins, with the choice there if it has one. */
  function showGame(chosen, wanted) {
    game = chosen;
    markCurrent(find("games"), find("games").querySelectorAll("button")[data.games.indexOf(game)], "true");
    find("game-title").replaceChildren(
      person(game.black, "X"), " \u2013 ", person(game.white, "O"), game.result && ` ${game.result}`,
    );
    // one heading is enough where the page is named after its only game
    find("game-title").classList.toggle("sr", find("game-title").textContent === data.title);
    find("trouble").textContent = game.trouble;
    find("opening").textContent = game.opening && `Opening: ${game.opening}`;
    buildBoard();
    buildMoves();
    buildMistakes();
    buildSides();
    buildAbout();
    ply = Math.min(wanted ?? game.ply, game.turns.length);
    line = wanted === undefined && ply && ply === game.decisive && turnAt(ply).moves ? BEFORE : null;
    step = 0;
    show();
    draw();
  }

  function buildBoard() {
    const letters = [..."abcdefgh"].slice(0, game.columns);
    const head = make("div", { role: "row", class: "rank" }, make("span", { role: "columnheader" }, "\u00a0"));
    head.append(...letters.map((letter) => make("span", { role: "columnheader" }, letter)));
    head.firstChild.append(make("span", { class: "sr" }, "row"));
    const ranks = Array.from({ length: game.rows }, (_, row) => {
      const rank = make("div", { role: "row", class: "rank" }, make("span", { role: "rowheader" }, `${row + 1}`));
      for (let column = 0; column < game.columns; column++) {
        const square = game.columns * row + column;
        const cell = make("div", { role: "cell", class: "cell" }, make("span", { class: "sr" }));
        cell.append(make("span", { class: "value", "aria-hidden": "true" }));
        cell.addEventListener("click", () => playSquare(square));
        rank.append(cell);
      }
      return rank;
    });
    const board = make("div", { role: "table", "aria-label": "Board" }, head, ...ranks);
    board.style.setProperty("--columns", game.columns);
    find("board").replaceChildren(board);
  }

  function moveButton(number) {
    const turn = turnAt(number);
    const { move } = read(turn.play);
    const color = moverOf(number);
    const words = make("span", { class: "sr" }, ` ${NAMES[color]} ${move === "--" ? "passes" : ""}`);
    return button(
      () => goTo(number), {},
      make("span", { class: "number" }, `${number} `), make("span", { class: `side ${color}` }), words,
      ` ${move}`, ...signMark(turn.sign),
    );
  }

  function buildMoves() {
    const items = game.turns.map((_, at) => make("li", {}, moveButton(at + 1)));
    find("moves").replaceChildren(...items);
  }

  function buildMistakes() {
    const mistakes = game.turns.flatMap((turn, at) => (turn.mistake ? [at + 1] : []));
    const items = mistakes.map((number) => {
      const turn = turnAt(number);
      const loss = turn.loss ? ` loses ${turn.loss}` : "";
      const best = turn.best ? make("span", { class: "quiet" }, `, best ${turn.best.join(" ")}`) : "";
      const item = button(
        () => goTo(number), { "data-ply": number },
        make("span", { class: "number" }, `${number} `), `${NAMES[moverOf(number)]} ${read(turn.play).move}`,
        ...signMark(turn.sign), loss, best,
      );
      return make("li", {}, item);
    });
    find("mistakes").replaceChildren(...items);
    find("no-mistakes").textContent = items.length ? "" : "No move is marked as a mistake.";
    find("mistake").hidden = !items.length;
  }

  function buildSides() {
    find("sides-part").hidden = !game.sides.length;
    const head = make("tr", {}, make("td"));
    for (const [name, color] of [[game.black, "X"], [game.white, "O"]]) {
      head.append(make("th", { scope: "col" }, make("span", { class: `side ${color}` }), " ", person(name, color)));
    }
    const rows = game.sides.map(([name, black, white]) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, black), make("td", {}, white)),
    );
    find("sides").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  }

  function buildAbout() {
    const entries = [...game.tags];
    entries.push(...game.analysis);
    if (game.end) entries.push(["End", game.end]);
    if (game.source) entries.push(["From", game.source]);
    const names = make("dl", {});
    for (const [name, value] of entries) {
      names.append(make("dt", {}, name), make("dd", {}, make("bdi", {}, value)));
    }
    find("about").replaceChildren(names);
  }

  // --- what changes with every ply

  function show() {
    const turns = played();
    showBoard(turns);
    showTurn();
    const total = game.turns.length;
    const length = line ? movesOf(line).length : total;
    find("count").textContent =
      line === BEFORE ? `Before ${ply} / ${total}` : line ? `${line.name} ${step}/${length}` : `${ply} / ${total}`;
    find("first").disabled = find("back").disabled = !line && ply === 0;
    find("next").disabled = line !== BEFORE && (line ? step : ply) === length;
    find("last").disabled = !line && ply === total;
    const text = sentence(turns);
    find("status").textContent = text;
    find("graph").setAttribute("aria-valuemax", total);
    find("graph").setAttribute("aria-valuenow", ply);
    find("graph").setAttribute("aria-valuetext", text);
    const current = (list, selector) => find(list).querySelector(selector);
    markCurrent(find("moves"), current("moves", `li:nth-child(${ply || total + 1}) button`), "step", true);
    markCurrent(find("mistakes"), current("mistakes", `[data-ply="${ply}"]`), "step");
    moveCursor();
  }

  /** The position in one sentence, for those who do not see it. */
  function sentence(turns) {
    if (line === BEFORE) {
      const { move } = read(turnAt(ply).play);
      return `Before ply ${ply}: ${NAMES[moverOf(ply)]} to move, ${move} in the game. Every move has its value.`;
    }
    if (!turns.length) return "Start of the game.";
    const last = turns.at(-1);
    const color = turns.length % 2 ? game.to_move : other(game.to_move);
    const where = line ? `${line.name}, move ${step}` : `Ply ${ply} of ${game.turns.length}`;
    const what = `${NAMES[color]} ${last.square < 0 ? "passes" : last.move}`;
    if (line && line.trial && step === 1) return `${where}: ${what}. ${trialText(line)}`;
    const turn = line ? {} : turnAt(ply);
    return [`${where}: ${what}.`, turn.verdict, turn.value && `Value ${turn.value}.`].filter(Boolean).join(" ");
  }

  function showBoard(turns) {
    const cells = cellsAfter(turns);
    const last = turns.at(-1);
    const turn = (!line || line === BEFORE) && ply ? turnAt(ply) : {};
    const best = (turn.best || []).map(squareOf).filter((square) => cells[square] === "-");
    const tried = new Map((line && turn.moves ? turn.moves : []).map((it) => [firstOf(it).square, it]));
    const inGame = line === BEFORE ? read(turn.play).square : -1;
    find("board").querySelectorAll(".cell").forEach((cell, square) => {
      const words = [nameOf(square), NAMES[cells[square]]];
      cell.className = `cell ${cells[square] === "-" ? "" : cells[square]}`;
      const mark = (name, text) => {
        cell.classList.add(name);
        words.push(text);
      };
      if (last && last.square === square) mark("last", "last move");
      if (last && last.changed.includes(square)) mark("flip", "flipped");
      const it = tried.get(square);
      cell.lastChild.textContent = it ? it.short : "";
      if (it) mark("try", it.short);
      if (square === inGame) mark("played", "move of the game");
      if (best.includes(square)) mark("best", "best move");
      cell.firstChild.textContent = words.join(", ");
    });
  }

  function showTurn() {
    const turn = ply ? turnAt(ply) : { comments: game.comments };
    const name = ply ? `${ply}. ${NAMES[moverOf(ply)]} ${read(turn.play).move.replace("--", "passes")}` : "Start";
    find("turn-title").replaceChildren(name, ...signMark(turn.sign));
    find("link").href = fragment();
    find("link").textContent = ply ? `Link to ply ${ply}` : "Link to the start";
    const decisive = ply && ply === game.decisive ? "The decisive moment." : "";
    const parts = [decisive, turn.verdict, turn.value && `Value: ${turn.value}`, ...(turn.notes || [])];
    const paragraphs = parts.filter(Boolean).map((text) => make("p", {}, text));
    paragraphs.push(...(turn.comments || []).map((text) => make("p", { class: "quiet" }, text)));
    if (turn.reasons) paragraphs.push(reasonList(turn.reasons));
    paragraphs.push(...(turn.lines || []).flatMap(lineParts), ...(turn.moves ? choiceParts(turn) : []));
    find("turn").replaceChildren(...paragraphs);
    if (line) find("turn").append(button(() => goTo(ply), {}, "Back to the game"));
  }

  /** Reasons for and against moves. */
  function reasonList(reasons) {
    const items = reasons.map(([sign, text]) => {
      const good = sign === "+";
      const mark = make("span", { class: good ? "for" : "against", "aria-hidden": "true" }, good ? "+ " : "\u2212 ");
      return make("li", {}, mark, make("span", { class: "sr" }, good ? "For: " : "Against: "), text);
    });
    return make("ul", { class: "reasons", "aria-label": "Reasons" }, ...items);
  }

  /** All moves of a turn with their values, each to be tried. */
  function choiceParts(turn) {
    const items = turn.moves.map((it) => {
      const { move } = firstOf(it);
      const attributes = { "aria-label": `${it.name}: ${trialText(it)}` };
      if (it === line) attributes["aria-current"] = "true";
      return make("li", {}, button(() => playLine(it, 1), attributes, `${move} `, make("b", {}, it.short)));
    });
    const parts = [make("p", {}, "All moves:"), make("ol", { class: "line" }, ...items)];
    if (line && line.trial) parts.push(make("p", { id: "trial" }, trialText(line)), ...lineParts(line));
    const pressed = { "aria-pressed": line === BEFORE, class: "choice" };
    parts.push(button(toggleChoice, pressed, "On the board, before the move"));
    return parts;
  }

  /** The value of a move that is tried, what it loses, and the answer to it. */
  function trialText(it) {
    const answer = movesOf(it)[1];
    return [
      `${firstOf(it).move}: ${it.value}.`, it.loss ? `Loses ${discs(it.loss)}.` : "A best move.",
      answer && `Answer: ${read(answer).move}.`,
    ].filter(Boolean).join(" ");
  }

  /** A line with a button for each of its moves. */
  function lineParts(shown) {
    const label = `${shown.name}${shown.value && !shown.trial ? ` (${shown.value})` : ""}`;
    const items = movesOf(shown).map((text, at) => {
      const here = line === shown && step === at + 1;
      const attributes = { "aria-label": `${shown.name}, move ${at + 1}: ${read(text).move}` };
      if (here) attributes["aria-current"] = "step";
      const item = button(() => playLine(shown, at + 1), attributes, read(text).move);
      return make("li", {}, item);
    });
    const comments = (shown.comments || []).map((text) => make("p", { class: "quiet" }, text));
    return [make("p", {}, `${label}:`), make("ol", { class: "line" }, ...items), ...comments];
  }

  /** Show a line, and keep the focus on the button of the move: the buttons are made anew. */
  function playLine(shown, number) {
    const before = [...find("turn").querySelectorAll("button")].indexOf(document.activeElement);
    goToLine(shown, number);
    if (before >= 0) find("turn").querySelectorAll("button")[before]?.focus();
  }

  // --- the graph

  const REACHES = [8, 16, 32, 64];
  const LEFT = 34;
  const RIGHT = 8;
  const TOP = 10;
  const BOTTOM = 20;

  function leads() {
    const found = [game.lead, ...game.turns.map((turn) => turn.lead)];
    return found.map((lead) => lead ?? null);
  }

  function plotX(number) {
    const width = (find("graph").clientWidth || find("losses").clientWidth) - LEFT - RIGHT;
    return LEFT + (number / Math.max(game.turns.length, 1)) * width;
  }

  function drawGraph() {
    const values = leads();
    const box = find("graph");
    find("graph-part").hidden = values.every((value) => value === null);
    const { clientWidth: width, clientHeight: height } = box;
    const most = Math.max(...values.map(Math.abs));
    const reach = REACHES.find((it) => most <= it) || 64;
    const middle = (TOP + height - BOTTOM) / 2;
    const y = (value) => middle - (Math.max(-reach, Math.min(value, reach)) / reach) * (middle - TOP);
    const svg = shape("svg", { viewBox: `0 0 ${width || 1} ${height || 1}`, "aria-hidden": "true" });
    for (const value of [reach, reach / 2, 0, -reach / 2, -reach]) {
      svg.append(shape("path", { class: "rule", d: `M${LEFT} ${y(value)}H${width - RIGHT}` }));
      const text = value > 0 ? `+${value}` : `${value}`;
      svg.append(shape("text", { class: "label", x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, text));
    }
    for (let number = 0; number <= game.turns.length; number += width < 300 ? 20 : 10) {
      svg.append(shape("text", { class: "label", x: plotX(number), y: height - 4, "text-anchor": "middle" }, number));
    }
    for (const run of runsOf(values)) {
      const points = run.map(([number, value]) => `${plotX(number)} ${y(value)}`).join("L");
      for (const [name, sign] of [["black", 1], ["white", -1]]) {
        const edge = crossings(run).map(([number, value]) => `${plotX(number)} ${y(value * sign > 0 ? value : 0)}`);
        const ends = `V${middle}H${plotX(run[0][0])}Z`;
        svg.append(shape("path", { class: name, d: `M${edge.join("L")}${ends}` }));
      }
      svg.append(shape("path", { class: "curve", d: `M${points}${run.length > 1 ? "" : "h1"}` }));
    }
    svg.append(shape("text", { class: "label", x: LEFT + 6, y: TOP + 12 }, "Black ahead"));
    svg.append(shape("text", { class: "label", x: LEFT + 6, y: height - BOTTOM - 6 }, "White ahead"));
    game.turns.forEach((turn, at) => {
      if (!turn.mistake) return;
      const value = turn.lead ?? 0;
      svg.append(shape("circle", { class: KINDS[turn.sign], cx: plotX(at + 1), cy: y(value), r: 5 }));
    });
    svg.append(shape("path", { class: "now" }));
    box.replaceChildren(svg);
  }

  /** Draw what each side has lost up to each ply. */
  function drawLosses() {
    const box = find("losses");
    find("losses-part").hidden = !game.sides.length;
    const { clientWidth: width, clientHeight: height } = box;
    const lost = { X: [0], O: [0] };
    game.turns.forEach((turn, at) => {
      for (const color of "XO") {
        lost[color].push(lost[color][at] + (moverOf(at + 1) === color ? turn.loss || 0 : 0));
      }
    });
    const ends = { X: lost.X.at(-1), O: lost.O.at(-1) };
    const reach = Math.max(4, 4 * Math.ceil(Math.max(ends.X, ends.O) / 4));
    const y = (value) => height - BOTTOM - (value / reach) * (height - BOTTOM - TOP);
    const svg = shape("svg", { viewBox: `0 0 ${width || 1} ${height || 1}`, "aria-hidden": "true" });
    for (const value of [0, reach / 2, reach]) {
      svg.append(shape("path", { class: "rule", d: `M${LEFT} ${y(value)}H${width - RIGHT}` }));
      svg.append(shape("text", { class: "label", x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, value));
    }
    for (let number = 0; number <= game.turns.length; number += width < 300 ? 20 : 10) {
      svg.append(shape("text", { class: "label", x: plotX(number), y: height - 4, "text-anchor": "middle" }, number));
    }
    for (const color of "XO") {
      const points = lost[color].map((value, number) => `${plotX(number)} ${y(value)}`).join("L");
      svg.append(shape("path", { class: `lost ${color}`, d: `M${points}` }));
    }
    // the names are in the corner that the rising curves leave free
    [["X", "solid"], ["O", "dashed"]].forEach(([color, look], at) => {
      const words = `${NAMES[color]} ${ends[color]} (${look})`;
      svg.append(shape("text", { class: "label", x: LEFT + 6, y: TOP + 12 + 16 * at }, words));
    });
    svg.append(shape("path", { class: "now" }));
    box.replaceChildren(svg);
    box.setAttribute("aria-label", `Discs lost: Black ${ends.X}, White ${ends.O}`);
  }

  function draw() {
    drawGraph();
    drawLosses();
    moveCursor();
  }

  /** Neighboring plies with a value, each run apart. */
  function runsOf(values) {
    const runs = [];
    values.forEach((value, number) => {
      if (value === null) return;
      if (number && values[number - 1] !== null) runs.at(-1).push([number, value]);
      else runs.push([[number, value]]);
    });
    return runs;
  }

  /** A run with the points where it crosses the middle line. */
  function crossings(run) {
    return run.flatMap(([number, value], at) => {
      const [before, last] = at ? run[at - 1] : [number, value];
      const crossed = last * value < 0 ? [[before + last / (last - value), 0]] : [];
      return [...crossed, [number, value]];
    });
  }

  function moveCursor() {
    for (const now of document.querySelectorAll(".now")) {
      now.setAttribute("d", `M${plotX(ply)} ${TOP}V${now.closest("div").clientHeight - BOTTOM}`);
    }
  }

  function scrub(event) {
    const graph = event.currentTarget;
    if (event.type === "pointermove" && !graph.hasPointerCapture(event.pointerId)) return;
    const box = graph.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    goTo(Math.round(share * game.turns.length));
  }

  // --- the beginning

  function buildList() {
    find("list").hidden = data.games.length < 2;
    const items = data.games.map((it, at) => {
      const mistakes = it.turns.filter((turn) => turn.mistake).length;
      const counted = mistakes ? `, ${mistakes} mistake${mistakes === 1 ? "" : "s"}` : "";
      const words = `${it.result ? ` ${it.result}` : ""}${counted}`;
      const names = make("span", { class: "names" }, person(it.black, "X"), " \u2013 ", person(it.white, "O"));
      const number = make("span", { class: "number" }, `${at + 1} `);
      const choose = () => {
        showGame(it);
        remember(true);
      };
      return make("li", {}, button(choose, {}, number, names, make("span", {}, words)));
    });
    find("games").replaceChildren(...items);
  }

  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function showTheme() {
    find("theme").setAttribute("aria-pressed", isDark());
  }

  find("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
  find("first").addEventListener("click", () => goTo(0));
  find("back").addEventListener("click", () => move(-1));
  find("next").addEventListener("click", () => move(1));
  find("last").addEventListener("click", () => goTo(game.turns.length));
  find("mistake").addEventListener("click", () => goToMistake(1));
  for (const graph of [find("graph"), find("losses")]) {
    graph.addEventListener("pointerdown", (event) => {
      graph.setPointerCapture(event.pointerId);
      scrub(event);
    });
    graph.addEventListener("pointermove", scrub);
  }
  for (const it of data.games.flatMap((each) => each.turns).flatMap((turn) => turn.moves || [])) {
    it.trial = true;
    it.name = `Trial ${it.play.split(":")[0]}`;
  }
  find("title").textContent = data.title;
  showTheme();
  if (!data.games.length) return;
  find("report").hidden = find("keys").hidden = false;
  buildList();
  showAddress();
  addEventListener("popstate", showAddress);
  new ResizeObserver(draw).observe(find("more"));
  addEventListener("beforeprint", draw);
})();
