"""Rating of stories by people: plan, packets, answers, agreement and ranking."""
