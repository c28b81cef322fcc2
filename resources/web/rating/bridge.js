"use strict";

/* The page inside the program: each action is a call over the web channel. */

new QWebChannel(qt.webChannelTransport, ({ objects: { bridge } }) => {
  const calls = {
    answer: (item, question, value, seconds, done) =>
      bridge.save(item, question, JSON.stringify(value), seconds, done),
    undo: (item, question, value, seconds, done) => bridge.undo(item, seconds, done),
    skip: (item, question, value, seconds, done) => bridge.skip(item, seconds, done),
    next: (item, question, value, seconds, done) => bridge.next(item, value || "", seconds, done),
    previous: (item, question, value, seconds, done) => bridge.previous(item, seconds, done),
  };
  const judge = {
    do: (act, ...rest) => new Promise((resolve) => {
      calls[act](...rest, (reply) => resolve(JSON.parse(reply)));
    }),
  };
  document.getElementById("review-show").addEventListener("click", () => bridge.show_folder());
  Rating.theme(bridge.theme);
  bridge.themeChanged.connect(() => Rating.theme(bridge.theme));
  Rating.start(judge, JSON.parse(bridge.packet), JSON.parse(bridge.view));
});
