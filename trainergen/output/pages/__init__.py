"""The pages that a platform team attaches to a change request: one HTML file each, which needs nothing but itself."""
