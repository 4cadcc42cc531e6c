/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_page_head.c: how every page begins and ends, and its style sheet.
 */
#include "ana_page.h"

#include "ana_version.h"

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--line:#8886;--soft:#8882;--bar:#3a87c855}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.2}h2{border-bottom:1px solid var(--line);margin-top:2.5rem}\n"
    ".lead{font-size:1.15rem;border-left:4px solid #e08a00;padding-left:1rem}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}\n"
    "tr.front{font-weight:600}td.u{color:#888}.bad{color:#d5502a;font-weight:600}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem}\n"
    "figure{margin:0;max-width:48rem}figcaption{font-weight:600;font-size:.9rem}svg{width:100%;height:auto}\n"
    "svg [stroke=\"black\"],svg [stroke='black']{stroke:currentColor}"
    "svg [fill=\"black\"],svg [fill='black']{fill:currentColor}\n"
    "svg g{color:inherit}svg text{fill:currentColor}td:last-child{min-width:7rem}"
    "td.w{min-width:16rem}.side td+td{min-width:10rem}\n"
    "pre{overflow-x:auto;background:var(--soft);padding:.6rem;font-size:.8rem}\n"
    ".key{font-size:.8rem;line-height:1.4}.key span{margin-right:1em;display:inline-block}"
    ".key i{display:inline-block;width:1.6em;height:0;line-height:0;overflow:hidden;margin-right:.4em;vertical-align:middle}\n"
    ".wide{max-width:100%}@media(max-width:40rem){body{padding:.6rem}th,td{padding:.25rem .4rem}"
    ".wide{border-right:2px dashed var(--line)}.wide::before{content:\"scroll sideways if cut "
    "off \\2192\";display:block;position:sticky;left:0;font-size:.75rem;opacity:.7}}\n"
    "@media print{body{max-width:none;font-size:10pt}details{display:none}"
    "figure,tr{break-inside:avoid}}\n"
    "</style>\n";

void ana_page_open(struct ana_page *p, const char *title)
{
    fprintf(p->html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"generator\" content=\"hcisim %s\">\n<title>",
            ana_version());
    ana_page_text(p, title);
    fprintf(p->html, "</title>\n%s</head>\n<body>\n", style);
}

void ana_page_close(struct ana_page *p)
{
    fputs("</body>\n</html>\n", p->html);
}
