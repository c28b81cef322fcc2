"""Keyword spotting and ranked retrieval: ICFHR 2014 XML (rusteval) and trec_eval files."""
