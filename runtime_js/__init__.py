"""What a program is compiled to and runs against: two compilers, the guest SDK, the prelude."""
