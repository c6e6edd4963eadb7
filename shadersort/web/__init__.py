"""The 2005 sort in a browser: programs and shaders as data, and what runs them in WebGL 2."""
