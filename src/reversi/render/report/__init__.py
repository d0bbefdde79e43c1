"""Games as one HTML page to step through: `reversi.render.html_report`.

`data` makes the data of the page, `words` its sentences. `page` puts the data together with ``page.html``,
``report.css`` and ``report.js``.
"""
