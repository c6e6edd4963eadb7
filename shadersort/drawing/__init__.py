"""Drawing: networks, the passes they compile to, and the devices that draw them."""
