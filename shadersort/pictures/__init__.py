"""Pictures: traces of sorts as stills, films and players; plots of networks; a live window."""
