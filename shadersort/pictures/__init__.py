"""Pictures: traces of a sort as stills, films and players; plots of networks; a live window."""
