"""BibTeX entries of the papers and programs behind metrics and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BibliographyEntry:
    """BibTeX entry of a paper or program, with its name in the sources of metrics."""

    key: str
    named: str
    kind: str
    fields: Mapping[str, str]

    def bibtex(self) -> str:
        """Return the entry as BibTeX."""
        lines = [f"  {name} = {{{value}}}," for name, value in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _paper(
    key: str, named: str, author: str, title: str, where: str, year: int, **more: str
) -> BibliographyEntry:
    fields = {"author": author, "title": f"{{{title}}}", "booktitle": where, "year": str(year)}
    return BibliographyEntry(key, named, "inproceedings", fields | more)


def _article(
    key: str, named: str, author: str, title: str, where: str, year: int, **more: str
) -> BibliographyEntry:
    found = {"author": author, "title": f"{{{title}}}", "journal": where, "year": str(year)}
    return BibliographyEntry(key, named, "article", found | more)


def _program(key: str, named: str, title: str, **more: str) -> BibliographyEntry:
    return BibliographyEntry(key, named, "misc", {"title": f"{{{title}}}", **more})


REFERENCES = (
    _paper(
        "papineni2002bleu",
        "Papineni et al., ACL 2002",
        "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
        "BLEU: a Method for Automatic Evaluation of Machine Translation",
        "Proceedings of ACL",
        2002,
        pages="311--318",
    ),
    _paper(
        "denkowski2014meteor",
        "Denkowski and Lavie, WMT 2014",
        "Denkowski, Michael and Lavie, Alon",
        "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
        "Proceedings of the Ninth Workshop on Statistical Machine Translation",
        2014,
        pages="376--380",
    ),
    _paper(
        "lin2004rouge",
        "Lin, ACL 2004",
        "Lin, Chin-Yew",
        "ROUGE: A Package for Automatic Evaluation of Summaries",
        "Text Summarization Branches Out",
        2004,
        pages="74--81",
    ),
    _paper(
        "vedantam2015cider",
        "Vedantam, Zitnick and Parikh, CVPR 2015",
        "Vedantam, Ramakrishna and Zitnick, C. Lawrence and Parikh, Devi",
        "CIDEr: Consensus-based Image Description Evaluation",
        "Proceedings of CVPR",
        2015,
        pages="4566--4575",
    ),
    _paper(
        "goyal2017vqa",
        "Goyal et al., VQA v2, CVPR 2017",
        "Goyal, Yash and Khot, Tejas and Summers-Stay, Douglas and Batra, Dhruv and Parikh, Devi",
        "Making the V in VQA Matter",
        "Proceedings of CVPR",
        2017,
    ),
    _paper(
        "biten2019stvqa",
        "Biten et al., ST-VQA, ICCV 2019",
        "Biten, Ali Furkan and others",
        "Scene Text Visual Question Answering",
        "Proceedings of ICCV",
        2019,
    ),
    _paper(
        "masry2022chartqa",
        "Masry et al., ChartQA, ACL 2022",
        "Masry, Ahmed and others",
        "ChartQA: A Benchmark for Question Answering about Charts",
        "Findings of ACL",
        2022,
    ),
    _paper(
        "hudson2019gqa",
        "Hudson and Manning, GQA, CVPR 2019",
        "Hudson, Drew A. and Manning, Christopher D.",
        "GQA: A New Dataset for Real-World Visual Reasoning",
        "Proceedings of CVPR",
        2019,
    ),
    _paper(
        "das2017visdial",
        "Das et al., Visual Dialog, CVPR 2017",
        "Das, Abhishek and Kottur, Satwik and Gupta, Khushi and Singh, Avi and Yadav, Deshraj and "
        "Moura, Jos{\\'e} M. F. and Parikh, Devi and Batra, Dhruv",
        "Visual Dialog",
        "Proceedings of CVPR",
        2017,
    ),
    _paper(
        "faghri2018vsepp",
        "Faghri et al., VSE++, BMVC 2018",
        "Faghri, Fartash and Fleet, David J. and Kiros, Jamie Ryan and Fidler, Sanja",
        "VSE++: Improving Visual-Semantic Embeddings with Hard Negatives",
        "Proceedings of BMVC",
        2018,
    ),
    _paper(
        "voorhees1999trec8",
        "Voorhees, TREC-8 Question Answering Track, 1999",
        "Voorhees, Ellen M.",
        "The TREC-8 Question Answering Track Report",
        "Proceedings of TREC-8",
        1999,
        pages="77--82",
    ),
    _article(
        "chen2015coco",
        "Chen et al., Microsoft COCO Captions (2015)",
        "Chen, Xinlei and Fang, Hao and Lin, Tsung-Yi and Vedantam, Ramakrishna and Gupta, Saurabh "
        "and Doll{\\'a}r, Piotr and Zitnick, C. Lawrence",
        "Microsoft COCO Captions: Data Collection and Evaluation Server",
        "arXiv:1504.00325",
        2015,
    ),
    _paper(
        "johnson2016densecap",
        "Johnson, Karpathy and Fei-Fei, DenseCap, CVPR 2016",
        "Johnson, Justin and Karpathy, Andrej and Fei-Fei, Li",
        "DenseCap: Fully Convolutional Localization Networks for Dense Captioning",
        "Proceedings of CVPR",
        2016,
        pages="4565--4574",
    ),
    _paper(
        "heusel2017fid",
        "Heusel et al., GANs Trained by a Two Time-Scale Update Rule, 2017",
        "Heusel, Martin and Ramsauer, Hubert and Unterthiner, Thomas and Nessler, Bernhard and "
        "Hochreiter, Sepp",
        "GANs Trained by a Two Time-Scale Update Rule Converge to a Local Nash Equilibrium",
        "Advances in Neural Information Processing Systems",
        2017,
        volume="30",
    ),
    _paper(
        "binkowski2018kid",
        "Binkowski et al., Demystifying MMD GANs, 2018",
        "Bi{\\'n}kowski, Miko{\\l}aj and Sutherland, Danica J. and Arbel, Michael and Gretton, "
        "Arthur",
        "Demystifying MMD GANs",
        "International Conference on Learning Representations",
        2018,
    ),
    _paper(
        "kynkaanniemi2019precision",
        "Kynkaanniemi et al., Improved Precision and Recall Metric, 2019",
        'Kynk{\\"a}{\\"a}nniemi, Tuomas and Karras, Tero and Laine, Samuli and Lehtinen, Jaakko '
        "and Aila, Timo",
        "Improved Precision and Recall Metric for Assessing Generative Models",
        "Advances in Neural Information Processing Systems",
        2019,
        volume="32",
    ),
    _paper(
        "naeem2020reliable",
        "Naeem et al., Reliable Fidelity and Diversity Metrics, 2020",
        "Naeem, Muhammad Ferjad and Oh, Seong Joon and Uh, Youngjung and Choi, Yunjey and Yoo, "
        "Jaejun",
        "Reliable Fidelity and Diversity Metrics for Generative Models",
        "Proceedings of ICML",
        2020,
    ),
    _paper(
        "jayasumana2024cmmd",
        "Jayasumana et al., Rethinking FID, 2024",
        "Jayasumana, Sadeep and Ramalingam, Srikumar and Veit, Andreas and Glasner, Daniel and "
        "Chakrabarti, Ayan and Kumar, Sanjiv",
        "Rethinking FID: Towards a Better Evaluation Metric for Image Generation",
        "Proceedings of CVPR",
        2024,
    ),
    _paper(
        "hessel2021clipscore",
        "Hessel et al., EMNLP 2021",
        "Hessel, Jack and Holtzman, Ari and Forbes, Maxwell and Le Bras, Ronan and Choi, Yejin",
        "CLIPScore: A Reference-free Evaluation Metric for Image Captioning",
        "Proceedings of EMNLP",
        2021,
    ),
    _paper(
        "zhang2020bertscore",
        "Zhang et al., ICLR 2020",
        "Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav",
        "BERTScore: Evaluating Text Generation with BERT",
        "International Conference on Learning Representations",
        2020,
    ),
    _paper(
        "pratikakis2014hkws",
        "Pratikakis et al., ICFHR 2014",
        "Pratikakis, Ioannis and Zagoris, Konstantinos and Gatos, Basilis and Louloudis, Georgios "
        "and Stamatopoulos, Nikolaos",
        "ICFHR 2014 Competition on Handwritten Keyword Spotting (H-KWS 2014)",
        "Proceedings of ICFHR",
        2014,
    ),
    _article(
        "jarvelin2002ndcg",
        "Järvelin and Kekäläinen, TOIS 2002",
        'J{\\"a}rvelin, Kalervo and Kek{\\"a}l{\\"a}inen, Jaana',
        "Cumulated Gain-based Evaluation of IR Techniques",
        "ACM Transactions on Information Systems",
        2002,
        volume="20",
        number="4",
        pages="422--446",
    ),
    _paper(
        "buckley2004bpref",
        "Buckley and Voorhees, SIGIR 2004",
        "Buckley, Chris and Voorhees, Ellen M.",
        "Retrieval Evaluation with Incomplete Information",
        "Proceedings of SIGIR",
        2004,
        pages="25--32",
    ),
    _article(
        "massiceti2020revised",
        "Massiceti et al., A Revised Generative Evaluation of Visual Dialogue, 2020",
        "Massiceti, Daniela and Kulharia, Viveka and Dokania, Puneet K. and Siddharth, N. and "
        "Torr, Philip H. S.",
        "A Revised Generative Evaluation of Visual Dialogue",
        "arXiv:2004.09272",
        2020,
    ),
    _paper(
        "huang2016vist",
        "VIST Challenge 2018",
        "Huang, Ting-Hao Kenneth and others",
        "Visual Storytelling",
        "Proceedings of NAACL-HLT",
        2016,
        pages="1233--1239",
    ),
    _program(
        "fusionbrain2022",
        "FusionBrain Challenge 2.0 (AI Journey 2022)",
        "FusionBrain Challenge 2.0",
        howpublished="AI Journey",
        year="2022",
    ),
    _program("treceval", "trec_eval 9.0.8", "trec_eval", note="Version 9.0.8"),
    _paper(
        "wilkinson2017neural",
        "Wilkinson et al., ICCV 2017",
        "Wilkinson, Tomas and Lindstrom, Jonas and Brun, Anders",
        "Neural Ctrl-F: Segmentation-Free Query-by-String Word Spotting in Handwritten Manuscript "
        "Collections",
        "Proceedings of ICCV",
        2017,
    ),
    _paper(
        "sudholt2016phocnet",
        "Sudholt and Fink, ICFHR 2016",
        "Sudholt, Sebastian and Fink, Gernot A.",
        "PHOCNet: A Deep Convolutional Neural Network for Word Spotting in Handwritten Documents",
        "Proceedings of ICFHR",
        2016,
        pages="277--282",
    ),
    _program(
        "kwseval",
        "kws-eval",
        "kws-eval: Evaluation of Keyword Spotting",
        author="Puigcerver, Joan",
    ),
    _program(
        "kwsassessment",
        "kws-assessment",
        "kws-assessment: Assessment of Keyword Spotting",
        author="{Pattern Recognition and Human Language Technology Research Center}",
    ),
    _program("pycocoevalcap", "pycocoevalcap 1.2", "pycocoevalcap", note="Version 1.2"),
)
"""References in the order in which they are listed."""

ROMANO_WOLF = _article(
    "romano2005stepdown",
    "romano-wolf",
    "Romano, Joseph P. and Wolf, Michael",
    "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing",
    "Journal of the American Statistical Association",
    2005,
    volume="100",
    number="469",
    pages="94--108",
)
HOLM = _article(
    "holm1979multiple",
    "holm",
    "Holm, Sture",
    "A Simple Sequentially Rejective Multiple Test Procedure",
    "Scandinavian Journal of Statistics",
    1979,
    volume="6",
    number="2",
    pages="65--70",
)
RANK_INTERVALS = _article(
    "mogstad2024inference",
    "rank intervals",
    "Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel",
    "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic "
    "Achievement across Countries",
    "The Review of Economic Studies",
    2024,
    volume="91",
    number="1",
    pages="476--518",
)
BOOTSTRAP = BibliographyEntry(
    "efron1993bootstrap",
    "bootstrap",
    "book",
    {
        "author": "Efron, Bradley and Tibshirani, Robert J.",
        "title": "{An Introduction to the Bootstrap}",
        "publisher": "Chapman and Hall",
        "year": "1993",
    },
)
BELL_MCCAFFREY = _article(
    "bell2002bias",
    "CR2",
    "Bell, Robert M. and McCaffrey, Daniel F.",
    "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples",
    "Survey Methodology",
    2002,
    volume="28",
    number="2",
    pages="169--181",
)
CLOPPER_PEARSON = _article(
    "clopper1934fiducial",
    "Clopper-Pearson",
    "Clopper, Charles J. and Pearson, Egon S.",
    "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial",
    "Biometrika",
    1934,
    volume="26",
    number="4",
    pages="404--413",
)
INTERVALS = {
    "bootstrap": BOOTSTRAP,
    "Student's t": BELL_MCCAFFREY,
    "Clopper-Pearson": CLOPPER_PEARSON,
    "few values": CLOPPER_PEARSON,
}
"""Sources of the methods of intervals, by a part of their names."""


def program_entry(version: str) -> BibliographyEntry:
    """Return the entry of this program."""
    title = "Jurydesk: the offline evaluation desk"
    more = {"author": "{The Jurydesk developers}", "year": "2026", "note": f"Version {version}"}
    return _program("jurydesk", "Jurydesk", title, **more)


def cited_entries(sources: Iterable[str]) -> tuple[BibliographyEntry, ...]:
    """Return the entries named by these sources of metrics."""
    texts = tuple(sources)
    return tuple(one for one in REFERENCES if any(one.named in text for text in texts))
