"""Right answers in other styles than that of the solved notebooks: each must be accepted."""
