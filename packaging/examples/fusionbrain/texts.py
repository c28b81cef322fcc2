"""The questions of the example FusionBrain competition, and what three systems say to them."""

from __future__ import annotations

from dataclasses import dataclass

SYSTEMS = ("careful", "hasty", "torn")
TEXTQA, MATHQA, GENERATION, CAPTIONING, VQA, RECOGNITION = range(6)
GENERATE, DESCRIBE, READ = "Нарисуй картинку.", "Что изображено на картинке?", "Что написано?"


@dataclass(frozen=True, slots=True)
class Item:
    """Question with its accepted answers, its picture's description, and one answer per system.

    An answer of None is a null, an empty one an empty list; to a picture that is to be drawn the
    answer is a line of a picture, and an empty one no picture.
    """

    task: int
    question: str
    accepted: tuple[str, ...]
    answers: tuple[str | None, str | None, str | None]
    scene: str = ""

    @property
    def is_generated(self) -> bool:
        """True if the answer is a picture."""
        return self.task == GENERATION


ITEMS = (
    Item(TEXTQA, "Маяк в посёлке зажигают в сумерках. Когда зажигают маяк?",
         ("в сумерках",), ("В сумерках.", "его зажигают вечером cразу", "в сумерки")),
    Item(TEXTQA, "На причале сушились семь сетей. Сколько сетей сушилось на причале?",
         ("7", "семь сетей"), ("семь", "сети на причале", None)),
    Item(TEXTQA, "Лодку чинил рыбак. Кто чинил лодку: a) рыбак b) пекарь c) почтальон?",
         ("a", "рыбак", "a рыбак"), ("a) рыбак", "пекарь, то есть b", "рыбак")),
    Item(TEXTQA, "Снег выпал в октябре, а растаял в апреле. Когда выпал снег?",
         ("в октябре", "октябрь"), ("в октябре", "", "в апреле")),
    Item(MATHQA, "Сколько будет 12 − 15? a) 3 b) 27 c) −27 d) −3",
         ("d", "-3", "d -3"), ("-3", "a) -3", "d) -3")),
    Item(MATHQA, "На каждой из трёх лодок по четыре гребца. Сколько всего гребцов?",
         ("12",), ("12", "12 гребцов", "12")),
    Item(MATHQA, "Чему равна половина от одного?", ("0,5", "1/2"), ("0.5", "1/2", "половина")),
    Item(MATHQA, "Назови наименьшее чётное число, большее восьми.",
         ("10",), ("десять", "10", "9")),
    Item(GENERATION, GENERATE, ("красный дом у реки",),
         ("red house river", "blue house night", "red house river"), "red house river"),
    Item(GENERATION, GENERATE, ("серая кошка на столе",),
         ("grey cat room", "grey cat night", ""), "grey cat room"),
    Item(GENERATION, GENERATE, ("белая лодка в море",),
         ("white boat night", "green boat night", "white boat sea"), "white boat sea"),
    Item(GENERATION, GENERATE, ("жёлтый мяч на траве",),
         ("yellow ball night", "blue ball night", "red ball meadow"), "yellow ball meadow"),
    Item(CAPTIONING, DESCRIBE, ("белая кошка сидит на столе", "кошка на деревянном столе"),
         ("Белая кошка сидит на столе.", "животное в комнате", "кошка на стуле"),
         "white cat room"),
    Item(CAPTIONING, DESCRIBE, ("лодка плывёт по ночному морю", "парусник в море ночью"),
         ("лодка плывёт ночью по морю", "корабль", "лодки в море"), "blue boat night"),
    Item(CAPTIONING, DESCRIBE, ("красный мяч лежит у дерева", "мяч на зелёной траве"),
         ("красный мяч у дерева", "мячик и дерево", "мяч"), "red ball meadow"),
    Item(CAPTIONING, DESCRIBE, ("ребёнок стоит на берегу реки", "мальчик у реки"),
         ("мальчик стоит у реки", "человек", "ребёнок на берегу моря"), "green child river"),
    Item(VQA, "Сколько кошек на столе?", ("1", "одна"), ("одна", "2 кошки", "1"),
         "grey cat room"),
    Item(VQA, "Какого цвета дом?", ("красный", "красного цвета"),
         ("красного", "цветной", "синий"), "red house meadow"),
    Item(VQA, "Что плывёт по морю?", ("судно",), ("судно", "лодка", "лодки"),
         "yellow boat sea"),
    Item(VQA, "Который час, день или ночь?", ("ночь",), ("ночь", "ночью", "день"),
         "white boat night"),
    Item(RECOGNITION, READ, ("КАФЕ",), ("КАФЕ", "KАФЕ", "КАФЕ"), "КАФЕ"),
    Item(RECOGNITION, READ, ("ХЛЕБ", "Хлеб"), ("ХЛЕБ", "ХЛЕВ", "хлеб"), "ХЛЕБ"),
    Item(RECOGNITION, READ, ("МОЛОКО",), ("МОЛОКО", "МЛОКО", "МОЛОТОК"), "МОЛОКО"),
    Item(RECOGNITION, READ, ("АПТЕКА",), ("АПТЕКА", "АПТКА", "АПТЕКА"), "АПТЕКА"),
)  # fmt: skip

SENSES = (
    ("КОШКА", "КОШКА", "ЖИВОТНОЕ"),
    ("КОТ", "КОШКА", "ЖИВОТНОЕ"),
    ("ЛОДКА", "ЛОДКА", "СУДНО"),
    ("ПАРУСНИК", "ПАРУСНИК", "СУДНО"),
    ("СУДНО", "СУДНО", "ТРАНСПОРТ"),
    ("КОРАБЛЬ", "СУДНО", "ТРАНСПОРТ"),
    ("МЯЧ", "МЯЧ", "ИГРУШКА"),
    ("МЯЧИК", "МЯЧ", "ИГРУШКА"),
    ("РЕБЁНОК", "РЕБЁНОК", "ЧЕЛОВЕК"),
    ("МАЛЬЧИК", "РЕБЁНОК", "ЧЕЛОВЕК"),
    ("КРАСНЫЙ", "КРАСНЫЙ", "ЦВЕТНОЙ"),
    ("ДЕНЬ", "ДЕНЬ", "СУТКИ"),
)
"""Words with the titles of their synset and of what it is a kind of."""
