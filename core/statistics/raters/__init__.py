"""Statistics of raters whose answers are few or alike: chance-corrected and program-aided.

Begin with `gwet_agreement.py`.
"""
