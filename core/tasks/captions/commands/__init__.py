"""TODO core/tasks/captions/commands"""
