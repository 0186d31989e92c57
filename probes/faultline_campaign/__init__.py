"""What runs inside the sandbox while a campaign goes on. See src/campaign/engine.hpp."""
