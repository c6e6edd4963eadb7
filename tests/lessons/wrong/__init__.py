"""Wrong answers, a module for each lesson: what a student might write, and must not get away with.

A module is named as the lesson's, and has `WRONG`: for each exercise's name at least three.
"""
