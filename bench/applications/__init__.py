"""What selection is for, beside the programs that people use for it: one module an application."""
