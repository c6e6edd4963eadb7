"""Selection in the rows of an array: along any axis, or along several axes joined to one."""
