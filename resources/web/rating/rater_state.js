"use strict";

/* State of a rater in a packet, computed from the events as in core/human_evaluation/answers/rater_state.py. */

class RaterState {
  constructor(items, questionnaire, events = []) {
    this.questionnaire = questionnaire;
    this.ids = questionnaire.questions.map((one) => one.id);
    this.required = questionnaire.questions.filter((one) => one.required).map((one) => one.id);
    this.queue = [...items];
    this.place = 0;
    this.reviewing = false;
    this.current = this.ids[0];
    this.answers = new Map(items.map((id) => [id, new Map()]));
    this.complete = new Set();
    this.number = 0;
    this.given = [];
    for (const event of events) this.apply(event);
  }

  get item() {
    return this.place < this.queue.length ? this.queue[this.place] : "";
  }

  accepts(id, value) {
    const { scale, stories, questions } = this.questionnaire;
    if (id === "photos-missing") return value === true || value === null;
    const one = questions.find((each) => each.id === id);
    const between = (number, most) => Number.isInteger(number) && number >= 1 && number <= most;
    if (!one) return false;
    if (value === null) return true;
    if (one.kind === "comment") return typeof value === "string" && [...value].length <= 4000;
    if (one.kind === "best-worst") {
      return Array.isArray(value) && value.length === 2 && value[0] !== value[1]
        && value.every((number) => between(number, stories));
    }
    if (one.kind === "pairwise" && one.tie && value === 0) return true;
    return between(value, one.kind === "likert" ? scale.length : stories);
  }

  possible({ n, act, item, question, value }) {
    if (n !== this.number + 1 || item !== this.item) return false;
    if (act === "answer") return this.item !== "" && this.accepts(question, value);
    if (question !== "" || (value !== null && act !== "next")) return false;
    if (act === "undo") return this.given.length > 0;
    if (act === "skip") return !this.reviewing && this.place < this.queue.length - 1;
    if (act === "previous") return this.place > 0;
    if (act !== "next") return false;
    if (value !== null) return this.reviewing && this.answers.has(value);
    return this.item !== "" && (this.reviewing || this.complete.has(this.item));
  }

  apply(event) {
    if (!this.possible(event)) throw new Error(`event ${event.n} (${event.act}) is impossible`);
    this.number = event.n;
    if (event.act === "answer") this.answer(event.question, event.value);
    else if (event.act === "undo") this.undo();
    else if (event.act === "skip") {
      this.queue.push(...this.queue.splice(this.place, 1));
      this.arrive();
    } else if (event.act === "previous") this.goTo(this.place - 1);
    else if (event.value !== null) this.goTo(this.queue.indexOf(event.value));
    else this.goTo(this.reviewing ? this.queue.length : this.place + 1);
  }

  answer(question, value) {
    const item = this.item;
    const before = this.answers.get(item).get(question);
    this.given.push([item, question, before === undefined ? null : before]);
    this.put(item, question, value);
    this.current = this.following(question);
  }

  undo() {
    const [item, question, before] = this.given.pop();
    this.put(item, question, before);
    this.place = this.queue.indexOf(item);
    this.current = question === "photos-missing" ? this.firstOpen() : question;
  }

  put(item, question, value) {
    const answers = this.answers.get(item);
    if (value === null) answers.delete(question);
    else answers.set(question, value);
    const whole = answers.has("photos-missing") || this.required.every((id) => answers.has(id));
    if (whole) this.complete.add(item);
    else this.complete.delete(item);
  }

  goTo(place) {
    this.place = place;
    if (place === this.queue.length) this.reviewing = true;
    this.arrive();
  }

  arrive() {
    this.current = this.item ? this.firstOpen() : "";
  }

  firstOpen() {
    const answers = this.answers.get(this.item);
    return this.ids.find((id) => !answers.has(id)) || this.ids[0];
  }

  following(question) {
    const at = this.ids.indexOf(question);
    if (at < 0) return this.current;
    const answers = this.answers.get(this.item);
    const after = [...this.ids.slice(at + 1), ...this.ids.slice(0, at)];
    return after.find((id) => !answers.has(id)) || this.ids[Math.min(at + 1, this.ids.length - 1)];
  }

  view() {
    const view = {
      item: this.item,
      place: this.place,
      total: this.queue.length,
      done: this.complete.size,
      current: this.current,
      answers: this.item ? Object.fromEntries(this.answers.get(this.item)) : {},
      complete: this.complete.has(this.item),
      reviewing: this.reviewing,
      undo: this.given.length > 0,
      number: this.number,
    };
    if (!this.item) {
      view.review = this.queue.map((id) => [id, this.complete.has(id), this.answers.get(id).size]);
    }
    return view;
  }
}
