package vec

func dotI8Go(a, b []int8) int32 {
	var sum int32
	for i := range a {
		sum += int32(a[i]) * int32(b[i])
	}
	return sum
}

func dotsI8Go(dst []int32, q, rows []int8) {
	for i := range dst {
		dst[i] = dotI8Go(q, rows[i*len(q):(i+1)*len(q)])
	}
}

func dotsI8AtGo(dst []int32, q, rows []int8, ids []uint32) {
	for i, id := range ids {
		dst[i] = dotI8Go(q, rows[int(id)*len(q):(int(id)+1)*len(q)])
	}
}
