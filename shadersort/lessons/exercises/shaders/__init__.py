"""What students' functions of a shader need: rules, a compiler's words, pictures, and pages."""
