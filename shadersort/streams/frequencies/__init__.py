"""How often items come in a stream: lossy counting by Manku and Motwani."""
