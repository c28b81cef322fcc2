"""Accessibility of the page: contrast, roles and names, at every size, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from jurydesk.app.style.theme import theme

CONTRAST = """
(() => {
  const parse = (text) => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    return parts.length === 3 ? [...parts, 1] : parts;
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((c) => c / 255)
      .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(element.parentElement));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    const seen = element.checkVisibility() && !['SCRIPT', 'STYLE'].includes(element.tagName);
    if (!text || !seen) continue;
    const back = ground(element);
    const front = over(parse(getComputedStyle(element).color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    found.push([text.slice(0, 30), Math.round(100 * (a + 0.05) / (b + 0.05)) / 100]);
  }
  return found;
})()
"""
"""Contrast of every text that is seen, after WCAG 2.1."""

CONTROLS = """
[...document.querySelectorAll('button, textarea, [role], img, dialog, ol, ul, section, h1')]
  .filter((e) => e.checkVisibility())
  .map((e) => {
    const by = e.getAttribute('aria-labelledby');
    const label = e.getAttribute('aria-label')
      || (by && document.getElementById(by).textContent)
      || e.textContent.trim();
    const role = e.getAttribute('role') || e.tagName.toLowerCase();
    const hidden = e.tagName === 'IMG' && e.getAttribute('alt') === '';
    const silent = ['status', 'alert'].includes(role);
    return [role, label, e.outerHTML.slice(0, 90), hidden || silent];
  })
"""


@pytest.fixture(params=["light", "dark"])
def themed(request, rater):
    theme().set_mode(request.param)
    rater.until(f"document.documentElement.dataset.theme === '{request.param}'")
    return rater


def too_faint(rater) -> list:
    return [(text, ratio) for text, ratio in rater.run(CONTRAST) if ratio < 4.5]


def test_every_text_has_a_contrast_of_4_5_to_1(themed):
    themed.keys(Qt.Key.Key_4)
    assert len(themed.run(CONTRAST)) > 40
    assert too_faint(themed) == []
    themed.keys(Qt.Key.Key_Return, saved=False)
    themed.until("document.getElementById('message').textContent !== ''")
    assert too_faint(themed) == []
    themed.keys(Qt.Key.Key_Question, saved=False)
    themed.until("document.getElementById('sheet').open")
    assert too_faint(themed) == []


def test_every_text_of_the_review_has_that_contrast_too(themed, content):
    themed.run("document.getElementById('missing').click()")
    for _ in content.items:
        themed.keys(*[Qt.Key.Key_4] * 6, Qt.Key.Key_Return)
    themed.until("!document.getElementById('review').hidden")
    assert too_faint(themed) == []


def test_every_control_has_a_role_and_a_name(rater):
    found = rater.run(CONTROLS)
    assert len(found) > 40
    assert [(role, html) for role, name, html, silent in found if not (name or silent)] == []
    groups = [name for role, name, *_ in found if role == "group" and "story" in name.lower()]
    assert len(groups) == 6


def test_an_answer_is_named_by_its_label_and_has_a_checked_state(rater):
    rater.keys(Qt.Key.Key_4)
    labels = rater.run(
        "[...document.querySelectorAll('.question')[0].querySelectorAll('button')]"
        ".map((b) => [b.getAttribute('aria-label'), b.getAttribute('aria-pressed')])"
    )
    assert labels[3] == ["4, Agree", "true"]
    assert labels[4] == ["5, Strongly Agree", "false"]


def test_saving_is_announced_in_a_live_region(rater):
    assert rater.run("document.getElementById('saved').getAttribute('role')") == "status"
    assert rater.run("document.getElementById('message').getAttribute('role')") == "alert"


def test_a_statement_is_one_tab_stop(rater):
    stops = rater.run("document.querySelectorAll('#questions [tabindex=\"0\"]').length")
    assert stops == 6


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
def test_nothing_is_cut_off_at_any_zoom(rater, zoom):
    rater.view.setZoomFactor(zoom)
    rater.until(f"Math.abs(innerWidth - {rater.view.width()} / {zoom}) < 3")
    assert rater.run("document.documentElement.scrollWidth <= innerWidth + 1")
    assert rater.run(
        "[...document.querySelectorAll('#questions button')].every((b) => b.getBoundingClientRect()"
        ".right <= innerWidth + 1 && b.scrollWidth <= b.clientWidth + 1)"
    )


LENGTHEN = """
(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode, text = node.data.trim();
    if (!text || ['SCRIPT', 'STYLE'].includes(node.parentElement.tagName)) continue;
    node.data = `${node.data} ${text.slice(0, Math.ceil(0.4 * text.length))}`;
    count += 1;
  }
  return count;
})()
"""
"""Makes every text 40 percent longer, as a translation may be."""

CUT = """
[...document.querySelectorAll('button, h1, section, [role=group], p, label')]
  .filter((e) => e.checkVisibility())
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1
    || (e.tagName === 'BUTTON' && e.scrollWidth > e.clientWidth + 1))
  .map((e) => e.textContent.trim().slice(0, 40))
"""


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_texts_that_are_40_percent_longer_are_not_cut_off(rater, zoom):
    rater.view.setZoomFactor(zoom)
    rater.until(f"Math.abs(innerWidth - {rater.view.width()} / {zoom}) < 3")
    assert rater.run(LENGTHEN) > 40
    assert rater.run(CUT) == []
    assert rater.run("document.documentElement.scrollWidth <= innerWidth + 1")


def test_at_200_percent_a_story_is_shown_above_its_statements(rater):
    rater.view.setZoomFactor(2.0)
    rater.keys(*[Qt.Key.Key_4] * 6, Qt.Key.Key_Return)
    assert rater.run("document.querySelector('main').scrollTop") == 0


def test_text_can_be_twice_as_large(rater):
    for _ in range(5):
        rater.keys(Qt.Key.Key_Plus, saved=False)
    rater.until("getComputedStyle(document.documentElement).fontSize === '26px'")
    assert rater.run("document.documentElement.scrollWidth <= innerWidth + 1")
