#include "points.hpp"

sgk_signal *make_points() { return sgk::from(std::vector<point>{{1, 2}, {3, 4}, {3, 4}}).release(); }
sgk_signal *make_hidden_points() { return sgk::just(hidden_point{1, 2}).release(); }
